/** What holds of the effects of a plan, whatever its log: read from the log alone. */
import type { PlanEvent } from "../src/events/plan-event.ts";
import { accepts, evolve } from "../src/evolve.ts";
import { isEffectFact } from "../src/state/effect-ledger.ts";
import { noPlan, type KnownPlan, type Plan, type StepEntry } from "../src/state/plan-state.ts";

/**
 * What is wrong, in words; nothing is the wanted result.
 *
 *   - A step that acts once is tried again only after a failure that may be retried, or because a person said so.
 *   - The ledger says `done` of exactly those attempts of which a worker that began, or a person, said so, however
 *     late.
 */
export function brokenEffects(log: readonly PlanEvent[], plan: KnownPlan): string[] {
  const { justified, done } = readLog(log);
  return [...plan.steps].flatMap(([stepId, entry]) => {
    if (entry.grant.effect === "read") return [];
    const repeats = entry.grant.effect === "once" ? attemptsOf(entry).filter((attempt) => attempt > 1) : [];
    const unjust = repeats.filter((attempt) => !justified.has(`${stepId}/${attempt}`));
    const wrong = entry.effects.filter(
      ({ attempt, status }) => (status === "done") !== done.has(`${stepId}/${attempt}`),
    );
    return [
      ...unjust.map((attempt) => `nobody asked for attempt ${attempt} of ${stepId}`),
      ...wrong.map(({ attempt, status }) => `the ledger says ${status} of ${stepId}/${attempt}`),
    ];
  });
}

function readLog(log: readonly PlanEvent[]) {
  const justified = new Set<string>();
  const begun = new Set<string>();
  const done = new Set<string>();
  let plan: Plan = noPlan;
  for (const event of log) {
    const isAccepted = accepts(plan, event);
    plan = evolve(plan, event);
    // The ledger is of the steps; undoing them is told apart.
    if (isEffectFact(event) && event.data.undo === true) continue;
    if (event.type === "step.started") begun.add(`${event.data.stepId}/${event.data.attempt}`);
    if (event.type === "step.succeeded") {
      const name = `${event.data.stepId}/${event.data.attempt}`;
      // Only what is known to have begun is in the ledger.
      if (begun.has(name)) done.add(name);
    }
    if (!isAccepted) continue;
    if (event.type === "step.failed" && event.data.retryable) {
      justified.add(`${event.data.stepId}/${event.data.attempt + 1}`);
    }
    if (event.type === "approval.decided") {
      const [, stepId = "", attempt = ""] = /^unknown-(.+)-0-(\d+)$/.exec(event.data.approvalId) ?? [];
      if (event.data.decision === "run-again") justified.add(`${stepId}/${Number(attempt) + 1}`);
      if (event.data.decision === "happened") done.add(`${stepId}/${attempt}`);
    }
  }
  return { justified, done };
}

function attemptsOf({ state, failedAttempts, effects }: StepEntry): number[] {
  const last = "attempt" in state ? [state.attempt] : [];
  return [...last, ...[...failedAttempts, ...effects].map(({ attempt }) => attempt)];
}
