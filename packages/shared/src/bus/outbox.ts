import type { NatsConnection, PublishOptions } from "@nats-io/transport-node";

/** Messages to the server, sent together once per turn of the event loop. */
export type Outbox = {
  /** @param onError - Called when the connection rejects the message, for example while it is closing. */
  send(
    subject: string,
    payload: Uint8Array | string,
    options?: PublishOptions & { readonly onError?: (error: unknown) => void },
  ): void;
  /** Passes everything to the connection now. */
  flush(): void;
};

/** Large decisions are sent in chunks, so that the server can start before all of it has been encoded. */
const TOGETHER_MAX = 16;

type Waiting = {
  readonly subject: string;
  readonly payload: Uint8Array | string;
  readonly options: PublishOptions;
  readonly onError: ((error: unknown) => void) | undefined;
};

/**
 * Collects the messages of one turn of the event loop.
 *
 * The client library writes to its socket once per microtask turn, under load once per message:
 * a system call here and another at the server. Messages that are sent together need each only once.
 */
export function createOutbox(connection: NatsConnection): Outbox {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const sending = waiting;
    waiting = [];
    for (const { subject, payload, options, onError } of sending) {
      try {
        connection.publish(subject, payload, options);
      } catch (error) {
        onError?.(error);
      }
    }
  };
  return {
    send(subject, payload, { onError, ...options } = {}) {
      if (waiting.push({ subject, payload, options, onError }) >= TOGETHER_MAX) flush();
      else if (waiting.length === 1) setImmediate(flush);
    },
    flush,
  };
}
