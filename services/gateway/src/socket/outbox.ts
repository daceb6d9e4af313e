/** The outgoing messages of one socket, sent at the pace at which the peer reads. */
import type { Socket } from "node:net";
import type { CheckSent } from "../http/check-response.ts";
import type { WebSocket } from "ws";

/** Above this, writers that can wait do so until the buffer has fallen below half of it. */
export const BUFFERED_BYTES_HIGH = 1024 * 1024;
/** Above this, the peer is sending requests without reading the responses: nothing more is buffered for it. */
export const BUFFERED_BYTES_MAX = 32 * 1024 * 1024;

export type Outbox = {
  /** Sends, whether or not the peer keeps up. Messages of one turn of the event loop are sent together. */
  send(text: string): void;
  /**
   * Resolves when the peer has caught up or is gone; undefined when there is no need to wait. The first of several waiting
   * writers may fill the buffer again, so each has to check again.
   */
  ready(): Promise<void> | undefined;
};

/**
 * @param options.connection - The connection under the WebSocket.
 * @param options.onFull - Called when the peer sends requests without reading the responses.
 * @param options.check - Called with each message before it is sent.
 */
export function createOutbox(
  socket: WebSocket,
  {
    connection,
    onFull,
    check,
  }: { readonly connection: Socket; readonly onFull: () => void; readonly check: CheckSent },
): Outbox {
  let room: PromiseWithResolvers<void> | undefined;
  let isCorked = false;
  const uncork = (): void => {
    isCorked = false;
    connection.uncork();
  };
  const drained = (): void => {
    const isFull = socket.readyState === socket.OPEN && socket.bufferedAmount > BUFFERED_BYTES_HIGH / 2;
    if (room === undefined || isFull) return;
    room.resolve();
    room = undefined;
  };
  socket.once("close", drained);

  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      check(text);
      if (!isCorked) {
        isCorked = true;
        connection.cork();
        setImmediate(uncork);
      }
      socket.send(text, drained);
      const buffered = socket.bufferedAmount;
      if (buffered > BUFFERED_BYTES_MAX) onFull();
      else if (buffered > BUFFERED_BYTES_HIGH) room ??= Promise.withResolvers();
    },
    ready: () => room?.promise,
  };
}
