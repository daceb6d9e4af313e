import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import type { Outbox } from "../bus/outbox.ts";

/** A message from a work queue, and the one answer it gets. */
export type Delivery = {
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
  /** The first delivery is 1. */
  readonly deliveries: number;
  /** The message's place in the stream. */
  readonly sequence: number;
  /** When the stream stored the message: the same for all its deliveries. */
  readonly storedAt: Date;
  readonly ackSubject: string;
  ack(): void;
  /** Requests redelivery to any worker after a delay. */
  nak(delayMs: number): void;
  /** Says that it is never to be delivered again. */
  term(reason: string): void;
};

const ACK_PREFIX = "$JS.ACK.";
const NANOS_PER_MS = 1_000_000;

/**
 * Reads the delivery's numbers from its acknowledgement subject (NATS ADR-15):
 * `$JS.ACK.[<domain>.<account hash>.]<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>[.<token>]`.
 *
 * @returns Undefined when the message does not come from a consumer.
 */
export function toDelivery(message: Msg, outbox: Outbox): Delivery | undefined {
  const ackSubject = message.reply;
  if (ackSubject === undefined || !ackSubject.startsWith(ACK_PREFIX)) return undefined;
  const tokens = ackSubject.split(".");
  const numbersFrom = tokens.length >= 11 ? 6 : 4;
  const answer = (text: string): void => outbox.send(ackSubject, text);
  return {
    subject: message.subject,
    headers: message.headers,
    data: message.data,
    deliveries: Number(tokens[numbersFrom]),
    sequence: Number(tokens[numbersFrom + 1]),
    storedAt: new Date(Math.floor(Number(tokens[numbersFrom + 3]) / NANOS_PER_MS)),
    ackSubject,
    ack: () => answer("+ACK"),
    nak: (delayMs) => answer(delayMs > 0 ? `-NAK {"delay": ${Math.round(delayMs * NANOS_PER_MS)}}` : "-NAK"),
    term: (reason) => answer(`+TERM ${reason.replaceAll(/\s+/g, " ").slice(0, 200)}`),
  };
}
