import { createInbox, headers, type NatsConnection } from "@nats-io/transport-node";
import { z } from "zod";

const Ack = z.object({ error: z.object({ description: z.string() }).optional() });

/** Publishes one message; resolves when the server has acknowledged it. */
export type ThinPublish = (subject: string, body: Uint8Array, id: string) => Promise<void>;

/**
 * The cheapest durable publish that the protocol allows: one reply inbox, one promise per message, no time-outs
 * and no retries. Used by the floor, not by the system.
 */
export function createThinPublish(connection: NatsConnection): ThinPublish {
  const inbox = createInbox();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  let number = 0;
  connection.subscribe(`${inbox}.*`, {
    callback: (_, message) => {
      const key = message.subject.slice(inbox.length + 1);
      const reply = waiting.get(key);
      waiting.delete(key);
      const { error } =
        message.data.length === 0
          ? { error: { description: "no JetStream answers" } }
          : Ack.parse(message.json());
      if (error === undefined) reply?.resolve();
      else reply?.reject(new Error(error.description));
    },
  });
  return (subject, body, id) => {
    const key = (number++).toString(36);
    const reply = Promise.withResolvers<void>();
    waiting.set(key, reply);
    const messageHeaders = headers();
    messageHeaders.set("Nats-Msg-Id", id);
    connection.publish(subject, body, { reply: `${inbox}.${key}`, headers: messageHeaders });
    return reply.promise;
  };
}
