import type { NextPlan, StepEntry } from "../plan-state.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import type { GoalSubmitted } from "../../events/control-events.ts";
import type { CarriedStep } from "../../events/fork.ts";
import { tieSteps } from "../links/ties.ts";
import type { Succeeded } from "../review/review-state.ts";
import { recount } from "./runs.ts";

/** Adds the steps that a forked plan has from its origin: done, not to be undone, and not in the ledger of effects. */
export function carryOver(next: NextPlan, { fork, carried = [] }: GoalSubmitted["data"]): void {
  if (fork === undefined) return;
  const { submittedAt } = next;
  const times = { startedAt: submittedAt, endedAt: submittedAt, durationMs: 0 };
  next.steps = next.steps.withMutations((steps) => {
    for (const { step, grant, output, files, partial, failedItems } of carried) {
      if (steps.has(step.id)) continue;
      const entry: StepEntry = {
        step,
        grant,
        draft: 0,
        plannedSeq: next.seq,
        resultSeq: next.seq,
        position: steps.size,
        dependencies: dependenciesOf(step),
        dependents: [],
        unmet: 0,
        state: {
          status: "succeeded",
          attempt: 1,
          workerId: `fork of ${fork.planId}`,
          ...times,
          output,
          ...listOf(output, files),
          ...(partial === undefined ? {} : { partial }),
          ...(failedItems === undefined ? {} : { failedItems }),
        },
        failedAttempts: [],
        effects: [],
        carried: true,
      };
      steps.set(step.id, entry);
      recount(next, undefined, entry);
    }
  });
  tieSteps(next, [...next.steps.values()]);
  next.artifacts = next.artifacts.push(...carried.flatMap(({ artifacts }) => artifacts));
}

/** What references into the results of a step stand for that ran for each of a list. */
function listOf(output: CarriedStep["output"], files: CarriedStep["files"]): Pick<Succeeded, "list"> {
  if (files === undefined || !("value" in output) || !Array.isArray(output.value)) return {};
  const kept = new Map(files.map((file) => [file.item, file]));
  const list = output.value.map((value, item) => {
    const file = kept.get(item);
    if (file === undefined) return { kind: "value", value } as const;
    return { kind: "artifact", artifact: file.artifact.name, lists: file.lists, shown: value } as const;
  });
  return { list };
}
