/** How steps are added to a plan: each is linked to its dependencies and dependents. */
import type { NextPlan, StepEntry } from "../plan-state.ts";
import { grantOfStep } from "../../arguments/code-run.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import type { StepId } from "../../values/ids.ts";
import type { Step } from "../../language/plan-language.ts";
import { isLost, isMet, standingOf } from "../links/standing.ts";
import { askToSkip, makeReady } from "./step-transitions.ts";
import { isShownTo, tieSteps, verifiedAmong } from "../links/ties.ts";
import { recount } from "./runs.ts";
import type { GoalSubmitted } from "../../events/control-events.ts";
import type { CarriedStep } from "../../events/fork.ts";
import type { Succeeded } from "../review/review-state.ts";

const WAITING = { status: "waiting", for: "dependencies", attempt: 1 } as const;

type AddedStep = Omit<StepEntry, "dependencies" | "unmet"> & {
  dependencies: StepEntry["dependencies"];
  unmet: number;
};

/** Adds steps, whose dependencies can be anywhere among them, then starts those that are ready. */
export function addSteps(
  next: NextPlan,
  planned: readonly Pick<StepEntry, "step" | "grant" | "compensateGrant">[],
  draft: number,
): void {
  // Mutable until all steps are added.
  const entries: AddedStep[] = [];
  next.steps = next.steps.withMutations((steps) => {
    for (const { step, grant, compensateGrant } of planned) {
      // Checked plans have no repeated ids. In an unchecked plan, the first of two steps with the same id is kept.
      if (steps.has(step.id)) continue;
      const entry = {
        step,
        ...(compensateGrant === undefined ? {} : { compensateGrant }),
        grant: grantOfStep(grant, step),
        draft,
        plannedSeq: next.seq,
        position: steps.size,
        dependencies: dependenciesOf(step),
        dependents: [],
        unmet: 0,
        state: WAITING,
        failedAttempts: [],
        effects: [],
      };
      entries.push(entry);
      steps.set(step.id, entry);
      recount(next, undefined, entry);
    }
    const stepOf = (id: StepId): Step | undefined => steps.get(id)?.step;
    const dependents = new Map<StepId, StepId[]>();
    for (const entry of entries) {
      const { id } = entry.step;
      entry.dependencies = verifiedAmong(entry, stepOf);
      for (const dependency of entry.dependencies) {
        const needed = steps.get(dependency);
        const isThere = needed !== undefined && (isMet(standingOf(needed)) || isShownTo(entry.step, needed));
        if (!isThere) entry.unmet++;
        const known = dependents.get(dependency);
        if (known === undefined) dependents.set(dependency, [id]);
        else known.push(id);
      }
    }
    for (const [id, added] of dependents) {
      const entry = steps.get(id);
      if (entry !== undefined) steps.set(id, { ...entry, dependents: [...entry.dependents, ...added] });
    }
  });
  tieSteps(next, entries);
  startAdded(next, entries);
}

function startAdded(next: NextPlan, entries: readonly StepEntry[]): void {
  const lost = new Set<StepId>();
  for (const { step } of entries) {
    const entry = next.steps.get(step.id);
    if (entry?.unmet === 0) makeReady(next, entry);
    for (const dependency of entry?.dependencies ?? []) {
      if (isLost(next.steps.get(dependency))) lost.add(dependency);
    }
  }
  for (const dependency of lost) askToSkip(next, dependency);
}

/**
 * Adds the steps that a forked plan takes over from its origin: they are done, are not compensated, and are not in the
 * effect ledger.
 */
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

/** Returns the values that references into a repeated step's results resolve to. */
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
