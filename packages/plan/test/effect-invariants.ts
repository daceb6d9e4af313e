/** Invariants of a plan's effects for any log, derived from the log alone. */
import type { PlanEvent } from "../src/events/plan-event.ts";
import { accepts, evolve } from "../src/machine/evolve.ts";
import { allRuns, itemOf } from "../src/machine/step/runs.ts";
import { isEffectFact } from "../src/machine/step/effect-ledger.ts";
import {
  noPlan,
  type KnownPlan,
  type Plan,
  type StepEntry,
  type CompensationEntry,
} from "../src/machine/plan-state.ts";

/**
 * Returns descriptions of the violations; empty when all invariants hold.
 *
 *   - A step that runs at most once is retried only after a retryable failure, or because a person decided so.
 *   - The ledger has `done` for exactly those attempts that a worker that began, or a person, reported as done, however
 *     late.
 */
export function brokenEffects(log: readonly PlanEvent[], plan: KnownPlan): string[] {
  const { justified, done } = readLog(log);
  const undone = (plan.compensations?.toArray() ?? []).map(
    (entry) => [nameOf(entry.stepId, true), entry] as const,
  );
  const runs = Array.from(
    allRuns(plan),
    (entry) => [nameOf(entry.step.id, false, itemOf(entry)), entry] as const,
  );
  return [...runs, ...undone].flatMap(([name, entry]) => {
    if (entry.grant.effect === "read") return [];
    const repeats = entry.grant.effect === "once" ? attemptsOf(entry).filter((attempt) => attempt > 1) : [];
    const unjust = repeats.filter((attempt) => !justified.has(`${name}/${attempt}`));
    const wrong = entry.effects.filter(
      ({ attempt, status }) => (status === "done") !== done.has(`${name}/${attempt}`),
    );
    return [
      ...unjust.map((attempt) => `nobody asked for attempt ${attempt} of ${name}`),
      ...wrong.map(({ attempt, status }) => `the ledger says ${status} of ${name}/${attempt}`),
    ];
  });
}

/** The name of a step, or of its compensation. */
function nameOf(stepId: string, undo?: boolean, item = 0): string {
  return undo === true ? `${stepId} undone` : `${stepId} ${item}`;
}

function readLog(log: readonly PlanEvent[]) {
  const justified = new Set<string>();
  const begun = new Set<string>();
  const done = new Set<string>();
  let plan: Plan = noPlan;
  for (const event of log) {
    const isAccepted = accepts(plan, event);
    plan = evolve(plan, event);
    const name = isEffectFact(event)
      ? `${nameOf(event.data.stepId, event.data.undo, event.data.item)}/${event.data.attempt}`
      : "";
    if (event.type === "step.started") begun.add(name);
    if (event.type === "step.succeeded") {
      // Only attempts with a recorded start are in the ledger.
      if (begun.has(name)) done.add(name);
    }
    if (!isAccepted) continue;
    // An attempt that ends with a request about a call of its loop is continued by the next one.
    if ((event.type === "step.failed" && event.data.retryable) || event.type === "step.asked") {
      const { stepId, undo, item, attempt } = event.data;
      justified.add(`${nameOf(stepId, undo, item)}/${attempt + 1}`);
    }
    if (event.type === "approval.decided") {
      const [, stepId = "", item, attempt = ""] =
        /^unknown-(.+)-(\d+|undo)-(\d+)$/.exec(event.data.approvalId) ?? [];
      const asked = nameOf(stepId, item === "undo", Number(item));
      if (event.data.decision === "run-again") justified.add(`${asked}/${Number(attempt) + 1}`);
      if (event.data.decision === "happened") done.add(`${asked}/${attempt}`);
    }
  }
  return { justified, done };
}

function attemptsOf({
  state,
  failedAttempts,
  effects,
}: Pick<StepEntry | CompensationEntry, "state" | "failedAttempts" | "effects">): number[] {
  const last = "attempt" in state ? [state.attempt] : [];
  return [...last, ...[...failedAttempts, ...effects].map(({ attempt }) => attempt)];
}
