/**
 * Requests timers again that the server has not fired.
 *
 * nats-server removes a scheduled message from its list when it is due, even if its store has no room for the resulting message:
 * it would then fire it only after its next start. Requesting a timer that has already fired is harmless, because a plan counts a
 * timer once.
 */
import { decide, overdueTimers } from "@planwright/plan";
import { type DispatchDeps, scheduleAgain } from "./execute-command.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** A timer is normally some 250 ms late; its event then has to be read back from the log. */
const GRACE_MS = 5_000;
/** Each timer is requested once per round: a repeated id is dropped. */
const ROUND_MS = 30_000;

export type OverdueTimers = {
  /** Records when the server stored the event that it has just delivered. */
  note(storedAtMs: number): void;
  /** Requests overdue timers. */
  askAgain(plans: Iterable<OwnedPlan>): Promise<void>;
};

/** @param monotonicMs - A monotonic clock in milliseconds. */
export function createOverdueTimers(deps: DispatchDeps, monotonicMs: () => number): OverdueTimers {
  /** How far the server's clock is ahead of our own. A late event makes the value too small, never too large. */
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
