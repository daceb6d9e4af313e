import type { NatsConnection, PublishOptions } from "@nats-io/transport-node";

/** Messages on their way to the server, sent together once in each turn of the event loop. */
export type Outbox = {
  /** @param onError - Told when the connection does not take the message, as one that is closing does not. */
  send(
    subject: string,
    payload: Uint8Array | string,
    options?: PublishOptions & { readonly onError?: (error: unknown) => void },
  ): void;
  /** Hands everything to the connection now. */
  flush(): void;
};

/** The server need not wait until all of a large decision has been encoded. */
const TOGETHER_MAX = 16;

type Waiting = {
  readonly subject: string;
  readonly payload: Uint8Array | string;
  readonly options: PublishOptions;
  readonly onError: ((error: unknown) => void) | undefined;
};

/**
 * Collects what one turn of the event loop sends.
 *
 * The client library writes to its socket once in each microtask turn, which under load is once for each message:
 * a system call here and another at the server. What is sent together costs both once.
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
