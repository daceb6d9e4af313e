import type { Bus } from "../bus/connect-bus.ts";
import { takenKindOf } from "../faults/fault-points.ts";
import { currentFaults } from "../faults/faults.ts";
import type { Delivery } from "./delivery.ts";

function answer(delivery: Delivery, verdict: Verdict): void {
  if (verdict.kind === "ack") delivery.ack();
  else if (verdict.kind === "nak") delivery.nak(verdict.delayMs);
  else if (verdict.kind === "term") delivery.term(verdict.cause);
}

type Answering = (delivery: Delivery, verdict: Verdict) => void | Promise<void>;

/** Gives deliveries their answers; under a test that asked for faults, with a fault point before and after each. */
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

/** How a delivery is answered; `leave`: not at all, because another worker has the message by now. */
export type Verdict =
  | { readonly kind: "ack" }
  | { readonly kind: "nak"; readonly delayMs: number }
  | { readonly kind: "term"; readonly cause: string }
  | { readonly kind: "leave" };
