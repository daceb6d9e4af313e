import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import type { Outbox } from "../bus/outbox.ts";
import type { z } from "zod";
import { describeError } from "../errors.ts";
import type { Bus } from "../bus/connect-bus.ts";
import { takenKindOf } from "../faults/fault-points.ts";
import { currentFaults } from "../faults/faults.ts";

/** A message from a work queue, which is answered once. */
export type Delivery = {
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
  /** The first delivery is 1. */
  readonly deliveries: number;
  /** The message's sequence in the stream. */
  readonly sequence: number;
  /** When the stream stored the message: the same for all its deliveries. */
  readonly storedAt: Date;
  readonly ackSubject: string;
  ack(): void;
  /** Requests redelivery to any worker after a delay. */
  nak(delayMs: number): void;
  /** Requests that it is never delivered again. */
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

/** A work message parsed with its queue's schema, or the reason why it is invalid. */
export type Parsed<Work> =
  | { readonly ok: true; readonly value: Work }
  | { readonly ok: false; readonly fault: string };

export function parseWork<Schema extends z.ZodType>(
  Schema: Schema,
  { data }: Delivery,
): Parsed<z.output<Schema>> {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(data).toString("utf8"));
  } catch (error) {
    return { ok: false, fault: `wanted JSON: ${describeError(error)}` };
  }
  const parsed = Schema.safeParse(body);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    fault: `malformed work: ${parsed.error.issues.map(({ message }) => message).join("; ")}`,
  };
}

function answer(delivery: Delivery, verdict: Verdict): void {
  if (verdict.kind === "ack") delivery.ack();
  else if (verdict.kind === "nak") delivery.nak(verdict.delayMs);
  else if (verdict.kind === "term") delivery.term(verdict.cause);
}

type Answering = (delivery: Delivery, verdict: Verdict) => void | Promise<void>;

/** Answers deliveries; in tests with fault injection, with a fault point before and after each answer. */
export function answeringFor(bus: Bus): Answering {
  const faults = currentFaults();
  if (faults === undefined) return answer;
  return async (delivery, verdict) => {
    const kind = takenKindOf(delivery.subject);
    await faults.pass(`${kind}.before-ack`);
    answer(delivery, verdict);
    await faults.pass(`${kind}.after-ack`, () => {
      bus.outbox.flush();
      return bus.connection.flush();
    });
  };
}

/** The answer to a delivery; `leave`: none, because another worker has the message by now. */
export type Verdict =
  | { readonly kind: "ack" }
  | { readonly kind: "nak"; readonly delayMs: number }
  | { readonly kind: "term"; readonly cause: string }
  | { readonly kind: "leave" };
