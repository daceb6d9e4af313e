/** What goes out over one socket, at the pace at which the other side reads. */
import type { WebSocket } from "ws";

/** Above this, whoever can wait waits until it has fallen below half. */
const BUFFERED_BYTES_HIGH = 1024 * 1024;
/** Above this, the other side asks without reading: the connection is ended. */
const BUFFERED_BYTES_MAX = 32 * 1024 * 1024;

export type Outbox = {
  /** Sends, whether or not the other side keeps up. */
  send(text: string): void;
  /** Resolves when the other side has kept up, or is gone. */
  ready(): Promise<void>;
};

export function createOutbox(socket: WebSocket): Outbox {
  let room = Promise.withResolvers<void>();
  room.resolve();
  let isFull = false;
  const drained = (): void => {
    if (!isFull || (socket.readyState === socket.OPEN && socket.bufferedAmount > BUFFERED_BYTES_HIGH / 2))
      return;
    isFull = false;
    room.resolve();
  };
  socket.once("close", drained);

  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(text, drained);
      if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
      else if (!isFull && socket.bufferedAmount > BUFFERED_BYTES_HIGH) {
        isFull = true;
        room = Promise.withResolvers();
      }
    },
    ready: () => room.promise,
  };
}
