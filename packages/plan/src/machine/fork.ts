/** Forks: a new plan that continues from a step of this one, and reuses the results before it. */
import type { CarriedFile, CarriedStep } from "../events/fork.ts";
import type { StepId } from "../values/ids.ts";
import type { JsonObject } from "../values/json.ts";
import type { PlanDocument, Step } from "../language/plan-language.ts";
import { ArtifactRef } from "../events/values.ts";
import { delivererOf } from "./links/standing.ts";
import type { KnownPlan, StepEntry } from "./plan-state.ts";
import type { Succeeded } from "./review/review-state.ts";
import { isSettled } from "./step/step-state.ts";

/** The description of a file in a list of results. */
const Shown = ArtifactRef.pick({ contentType: true, bytes: true });

/** Why a plan cannot be forked at a step. */
export type ForkRefusal = "no_such_step" | "not_settled" | "lost_its_way";

export type Fork = {
  /** What still has to run; it is checked together with the carried steps. */
  readonly rest: PlanDocument;
  /** Already done, in the order of planning. */
  readonly carried: readonly Omit<CarriedStep, "artifacts">[];
};

/**
 * Returns the contents of a plan forked at a step. That step and all steps that depend on it, directly or through
 * others, run again. Every other step that has succeeded is carried over; steps that failed, were skipped or have not
 * ended yet run again. Steps that a revision replaced are left out, unless the fork begins at one of them: then the
 * plan is taken as of before that revision.
 *
 * @param edits - The complete arguments for `fromStep` (references allowed); its own if absent.
 */
export function forkPlan(
  plan: KnownPlan,
  { fromStep, edits }: { readonly fromStep: string; readonly edits?: JsonObject | undefined },
): Fork | { readonly refusal: ForkRefusal } {
  const from = [...plan.steps.values()].find(({ step }) => step.id === fromStep);
  if (from === undefined) return { refusal: "no_such_step" };
  if (!isSettled(from.state)) return { refusal: "not_settled" };
  const known = connected(
    plan,
    [...plan.steps.values()].filter((entry) => belongs(entry, from)),
  );
  if (!known.some(({ step }) => step.id === from.step.id)) return { refusal: "lost_its_way" };
  const again = downstream(plan, from.step.id);
  const carried: Omit<CarriedStep, "artifacts">[] = [];
  const steps: Step[] = [];
  const stateOf = carriedOf(plan, known, again);
  for (const entry of known.toSorted((left, right) => left.position - right.position)) {
    const { grant } = entry;
    const step = withinFork(entry.step, known);
    const state = stateOf(entry);
    if (state !== undefined)
      carried.push({ step, grant, output: state.output, ...filesOf(state), ...lacksOf(state) });
    else steps.push(step.id === from.step.id && edits !== undefined ? { ...step, args: edits } : step);
  }
  const { answerFrom, reasoning } = plan;
  const isThere = known.some(({ step }) => step.id === answerFrom);
  return {
    carried,
    rest: {
      steps,
      ...(answerFrom !== undefined && isThere ? { answerFrom } : {}),
      ...(reasoning === undefined ? {} : { reasoning }),
    },
  };
}

function belongs(entry: StepEntry, from: StepEntry): boolean {
  if (from.replaced !== true) return entry.replaced !== true;
  return entry.draft === from.draft || (entry.draft < from.draft && entry.replaced !== true);
}

/** Removes the steps that need a step which is not among them. */
function connected(plan: Pick<KnownPlan, "steps">, entries: readonly StepEntry[]): readonly StepEntry[] {
  const ids = new Set(entries.map(({ step }) => step.id));
  const isWhole = ({ dependencies }: StepEntry): boolean =>
    dependencies.every((id) => ids.has(id) || !plan.steps.has(id));
  const whole = entries.filter(isWhole);
  return whole.length === entries.length ? entries : connected(plan, whole);
}

/** Returns the step with its dependents, its fallback, and the step that it is the fallback of, transitively. */
function downstream({ steps, standIns }: KnownPlan, from: StepId): ReadonlySet<StepId> {
  const found = new Set([from]);
  for (const id of found) {
    const { dependents = [], step } = steps.get(id) ?? {};
    for (const dependent of dependents) found.add(dependent);
    const primary = standIns.get(id);
    for (const tied of [step?.fallback, primary]) if (tied !== undefined && steps.has(tied)) found.add(tied);
  }
  return found;
}

/** Returns a function that gives the state to carry over for a step: its own success or its fallback's. */
function carriedOf(plan: KnownPlan, known: readonly StepEntry[], again: ReadonlySet<StepId>) {
  const endOf = ({ step }: StepEntry): Succeeded | undefined => {
    const state = delivererOf(plan, step.id)?.state;
    return state?.status === "succeeded" && !again.has(step.id) ? state : undefined;
  };
  const delivered = new Set(known.flatMap((entry) => (endOf(entry) === undefined ? [] : [entry.step.id])));
  return (entry: StepEntry): Succeeded | undefined => {
    const { verifies } = entry.step;
    // A verification applies to one output only.
    return verifies === undefined || delivered.has(verifies) ? endOf(entry) : undefined;
  };
}

/** Returns what the new plan's answer lacks if it is based on this output. */
function lacksOf(state: Succeeded): Pick<CarriedStep, "partial" | "failedItems"> {
  const { truncated, failedItems = 0 } = state;
  const cut = truncated === true ? "the model reached its length limit" : undefined;
  const partial = state.partial ?? cut;
  return {
    ...(partial === undefined ? {} : { partial }),
    ...(failedItems === 0 ? {} : { failedItems }),
  };
}

/** Returns which results of a repeated step are files. */
function filesOf({ list = [] }: Succeeded): Pick<CarriedStep, "files"> {
  const files = list.flatMap((part, item): CarriedFile[] => {
    if (part.kind !== "artifact") return [];
    const { artifact: name, lists, shown } = part;
    const { contentType, bytes } = Shown.parse(shown);
    return [{ item, artifact: { name, contentType, bytes }, ...(lists === undefined ? {} : { lists }) }];
  });
  return files.length === 0 ? {} : { files };
}

/** Removes the fallback from a step if that fallback is not carried over. */
function withinFork(step: Step, known: readonly StepEntry[]): Step {
  const { fallback, ...rest } = step;
  return fallback === undefined || known.some((one) => one.step.id === fallback) ? step : rest;
}
