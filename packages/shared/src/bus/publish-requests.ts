/**
 * Publishing to JetStream with nothing per message but a promise and an entry in a table.
 *
 * The client library's own request makes two promises, a timer and an error object for each message. Here all
 * share one subscription for their acknowledgements and one timer for what is not answered. The reply's form is
 * that of NATS ADR-1 and ADR-22.
 */
import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import { errors, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import { z } from "zod";
import type { Bus } from "./connect-bus.ts";
import { onReconnect } from "./presence.ts";

const SWEEP_MS = 250;
/** Above it a publisher waits until others have been answered. */
const UNANSWERED_MAX = 16_384;
const NO_RESPONDERS = 503;

export type PubAck = { readonly seq: number; readonly duplicate?: boolean };

export type PublishRequest = (
  subject: string,
  payload: Uint8Array | string,
  headers: MsgHdrs,
) => Promise<PubAck>;

const Reply = z.object({
  seq: z.number().optional(),
  duplicate: z.boolean().optional(),
  error: z
    .object({ code: z.number(), err_code: z.number().default(0), description: z.string().default("") })
    .optional(),
});

type Unanswered = {
  readonly subject: string;
  readonly giveUpAt: number;
  readonly resolve: (ack: PubAck) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * @param options.timeoutMs - How long an answer may take.
 * @throws From the returned function: what the server refuses is a `JetStreamApiError`; a lost connection, a
 *   missing stream and a time-out are errors of the client library.
 */
export function createPublishRequests(bus: Bus, { timeoutMs }: { timeoutMs: number }): PublishRequest {
  const { connection, outbox } = bus;
  const inbox = bus.newInbox();
  const unanswered = new Map<string, Unanswered>();
  let room: PromiseWithResolvers<void> | undefined;
  let sweep: NodeJS.Timeout | undefined;
  let count = 0;

  const take = (token: string): Unanswered | undefined => {
    const request = unanswered.get(token);
    if (request === undefined) return undefined;
    unanswered.delete(token);
    if (room !== undefined && unanswered.size < UNANSWERED_MAX) {
      room.resolve();
      room = undefined;
    }
    return request;
  };

  const failAll = (reason: Error, concerns: (request: Unanswered) => boolean): void => {
    for (const [token, request] of unanswered) if (concerns(request)) take(token)?.reject(reason);
  };

  const sweepNow = (): void => {
    const now = performance.now();
    failAll(new errors.TimeoutError(), ({ giveUpAt }) => giveUpAt <= now);
    if (unanswered.size > 0) return;
    clearInterval(sweep);
    sweep = undefined;
  };

  connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      const request = take(message.subject.slice(inbox.length + 1));
      if (request === undefined) return;
      if (error !== null) request.reject(error);
      else settle(request, message);
    },
  });

  // Requests on a connection that has been replaced are never answered.
  onReconnect(bus, () => failAll(new Error("the connection was lost"), () => true));

  return async (subject, payload, headers) => {
    while (unanswered.size >= UNANSWERED_MAX) {
      room ??= Promise.withResolvers<void>();
      await room.promise;
    }
    count += 1;
    const token = count.toString(36);
    const { promise, resolve, reject } = Promise.withResolvers<PubAck>();
    unanswered.set(token, { subject, giveUpAt: performance.now() + timeoutMs, resolve, reject });
    sweep ??= setInterval(sweepNow, SWEEP_MS).unref();
    const onError = (error: unknown): void => take(token)?.reject(error);
    outbox.send(subject, payload, { headers, reply: `${inbox}.${token}`, onError });
    return promise;
  };
}

function settle({ subject, resolve, reject }: Unanswered, message: Msg): void {
  if (message.data.byteLength === 0) {
    const isMissing = message.headers?.code === NO_RESPONDERS;
    reject(
      isMissing ? new errors.NoRespondersError(subject) : new JetStreamError("an empty acknowledgement"),
    );
    return;
  }
  const { seq, duplicate, error } = Reply.parse(message.json());
  if (error !== undefined) reject(new JetStreamApiError(error));
  else if (seq === undefined) reject(new JetStreamError("an acknowledgement without a sequence"));
  else resolve(duplicate === undefined ? { seq } : { seq, duplicate });
}
