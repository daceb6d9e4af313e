import { dependenciesOf } from "../dependencies.ts";
import type { GoalSubmitted } from "../events/control-events.ts";
import type { StepEntry } from "./plan-state.ts";
import { tieSteps } from "./ties.ts";
import type { NextPlan } from "./step-transitions.ts";

/** Adds the steps that a forked plan has from its origin: done, not to be undone, and not in the ledger of effects. */
export function carryOver(next: NextPlan, { fork, carried = [] }: GoalSubmitted["data"]): void {
  if (fork === undefined) return;
  const { submittedAt } = next;
  const times = { startedAt: submittedAt, endedAt: submittedAt, durationMs: 0 };
  next.steps = next.steps.withMutations((steps) => {
    for (const { step, grant, output } of carried) {
      if (steps.has(step.id)) continue;
      const entry: StepEntry = {
        step,
        grant,
        draft: 0,
        position: steps.size,
        dependencies: dependenciesOf(step),
        dependents: [],
        unmet: 0,
        state: { status: "succeeded", attempt: 1, workerId: `fork of ${fork.planId}`, ...times, output },
        failedAttempts: [],
        effects: [],
        carried: true,
      };
      steps.set(step.id, entry);
    }
  });
  tieSteps(next, [...next.steps.values()]);
  next.total += next.steps.size;
  next.done += next.steps.size;
  next.artifacts = next.artifacts.push(...carried.flatMap(({ artifacts }) => artifacts));
}
