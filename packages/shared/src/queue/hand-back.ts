/** Hands back the messages that a stopping worker is handling. */
import { PubHeaders } from "@nats-io/jetstream";
import type { Logger } from "pino";
import { setTimeout as delay } from "node:timers/promises";
import type { Publish } from "../bus/publisher.ts";
import { describeError } from "../errors.ts";
import type { Delivery } from "./delivery.ts";

/** How often a message was delivered before it was last handed back. */
const EARLIER_DELIVERIES = "Planwright-Earlier-Deliveries";
/** Handing back takes one message; a stopping worker does not wait longer for an unreachable server. */
const HAND_BACK_MS = 2_000;

/** The worker's answer then: the message is in the queue again, or will be redelivered. */
export type HandedBack = { readonly kind: "ack" } | { readonly kind: "nak"; readonly delayMs: number };

/**
 * Puts the message back into the queue, without counting the delivery as a failure.
 *
 * If the worker dies in between, the message exists twice, as after any crash: the first outcome counts.
 */
export async function handBack(
  { publish, log }: { readonly publish: Publish; readonly log: Logger },
  delivery: Delivery,
): Promise<HandedBack> {
  const { subject, sequence, data } = delivery;
  const headers = Object.fromEntries(
    (delivery.headers?.keys() ?? [])
      .filter((name) => !name.startsWith("Nats-"))
      .map((name) => [name, headerOf(delivery, name)]),
  );
  const again = publish(subject, data, {
    id: `${headerOf(delivery, PubHeaders.MsgIdHdr)}/back/${sequence}`,
    headers: { ...headers, [EARLIER_DELIVERIES]: String(deliveriesInAll(delivery)) },
  });
  try {
    const given = await Promise.race([again, delay(HAND_BACK_MS, undefined, { ref: false })]);
    if (given !== undefined) return { kind: "ack" };
  } catch (error) {
    log.warn(
      { subject, reason: describeError(error) },
      "could not return work to its queue; it is redelivered after its timeout",
    );
  }
  again.catch(() => undefined); // No caller waits for it any more.
  return { kind: "nak", delayMs: 0 };
}

/** How often the message was delivered, including its deliveries before it was handed back. */
export function deliveriesInAll(delivery: Delivery): number {
  return Number(headerOf(delivery, EARLIER_DELIVERIES) || 0) + delivery.deliveries;
}

/** Returns a header of the message; "" when it has none of that name. */
export function headerOf({ headers }: Delivery, name: string): string {
  return headers?.get(name) ?? "";
}
