/**
 * Requests timers from the server again that it has not fired.
 *
 * nats-server takes a scheduled message off its list when it is due, also when its store is too full for what the
 * message becomes: it would fire it only after its next start. Being asked again for a timer that it has fired already
 * is harmless, because a plan counts a timer once.
 */
import { decide, overdueTimers } from "@planwright/plan";
import { type DispatchDeps, scheduleAgain } from "./execute-command.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** A timer is some 250 ms late when all is well; its fact then has to come back over the log. */
const GRACE_MS = 5_000;
/** Each timer is requested once in this time: a repeated id is dropped. */
const ROUND_MS = 30_000;

export type OverdueTimers = {
  /** The time at which the server stored the event that it has just handed over. */
  note(storedAtMs: number): void;
  /** Requests overdue timers. */
  askAgain(plans: Iterable<OwnedPlan>): Promise<void>;
};

/** @param monotonicMs - Milliseconds of a monotonic clock. */
export function createOverdueTimers(deps: DispatchDeps, monotonicMs: () => number): OverdueTimers {
  /** The server's clock above our own. A late event makes it too small, never too large. */
  let aheadMs = Number.NEGATIVE_INFINITY;
  return {
    note(storedAtMs) {
      aheadMs = Math.max(aheadMs, storedAtMs - monotonicMs());
    },
    async askAgain(plans) {
      const serverMs = monotonicMs() + aheadMs;
      const round = Math.floor(serverMs / ROUND_MS);
      const asked: Promise<void>[] = [];
      for (const { plan } of plans) {
        for (const command of decide(plan, overdueTimers(plan, serverMs - GRACE_MS))) {
          if (command.kind === "schedule") asked.push(scheduleAgain(deps, plan.planId, { command, round }));
        }
      }
      await Promise.all(asked);
    },
  };
}
