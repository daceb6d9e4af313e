/** Decides whether a step runs, only from the outputs of its dependencies, as soon as they have ended. */
import { holds, UnjudgedConditionError } from "../../language/condition.ts";
import { parseCondition } from "../../language/parse-condition.ts";
import type { StepId } from "../../values/ids.ts";
import type { Json } from "../../values/json.ts";
import { type Reference } from "../../language/references.ts";
import { UnresolvedReferenceError, valueAt } from "../../arguments/resolve-references.ts";
import type { ArgumentsFault } from "../../arguments/resolve-arguments.ts";
import { expansionOf } from "../step/expansion.ts";
import type { KnownPlan, StepEntry } from "../plan-state.ts";
import { deliveredBy, standingOf } from "./standing.ts";
import { needlessness } from "./ties.ts";

export type Verdict =
  | { readonly kind: "run" }
  /** The step is not needed: its dependents continue without it. */
  | { readonly kind: "pass"; readonly because: StepId; readonly reason: string }
  /** The step runs once for each of this many items. */
  | { readonly kind: "expand"; readonly items: number }
  | { readonly kind: "fault"; readonly fault: ArgumentsFault };

const RUN: Verdict = { kind: "run" };

/** Costs O(length of the condition), O(dependencies) if one of them was skipped as not needed, and O(items) for a list. */
export function verdictOf(plan: KnownPlan, entry: StepEntry): Verdict {
  const { step, item } = entry;
  // This was decided for the whole step before the item existed.
  if (item !== undefined) return RUN;
  const verdict = whetherNeeded(plan, entry);
  if (verdict.kind !== "run" || step.forEach === undefined) return verdict;
  const expansion = expansionOf(plan, step.forEach);
  if ("fault" in expansion) return { kind: "fault", fault: expansion.fault };
  return { kind: "expand", items: expansion.items.length };
}

function whetherNeeded(plan: KnownPlan, entry: StepEntry): Verdict {
  const { step, dependencies } = entry;
  const needless = needlessness(plan, entry);
  if (needless !== undefined) return { kind: "pass", ...needless };
  if (step.when !== undefined) return judge(plan, step.id, step.when);
  const [first, ...others] = dependencies;
  if (first === undefined || !isPassed(plan, first)) return RUN;
  if (!others.every((dependency) => isPassed(plan, dependency))) return RUN;
  const needed = others.length === 0 ? first : `all of ${dependencies.length} steps`;
  return { kind: "pass", because: first, reason: `needs ${needed}, which did not have to run` };
}

function isPassed(plan: KnownPlan, stepId: StepId): boolean {
  const entry = plan.steps.get(stepId);
  return entry !== undefined && standingOf(entry) === "passed";
}

function judge(plan: KnownPlan, stepId: StepId, when: string): Verdict {
  const parsed = parseCondition(when);
  if ("fault" in parsed) return faultOf(parsed.fault);
  try {
    if (holds(parsed.condition, (reference) => valueOf(plan, reference))) return RUN;
  } catch (error) {
    if (error instanceof UnjudgedConditionError) return faultOf(`${when}: ${error.message}`);
    throw error;
  }
  return { kind: "pass", because: stepId, reason: `its condition does not hold: ${when}` };
}

/** A missing value is null, and a list or a text has a `length`. */
function valueOf(plan: KnownPlan, reference: Reference): Json {
  const output = deliveredBy(plan, reference.stepId);
  if (output === undefined || output.kind === "nothing") return null;
  if (output.kind === "artifact") {
    throw new UnjudgedConditionError(`the output of ${reference.stepId} is a file, too large to be compared`);
  }
  const { path, text } = reference;
  const whole = reachOf(output.value, { path: path.slice(0, -1), text });
  if (path.at(-1) === "length" && (Array.isArray(whole) || typeof whole === "string")) return whole.length;
  return reachOf(output.value, { path, text });
}

function reachOf(value: Json, reference: Pick<Reference, "path" | "text">): Json {
  try {
    return valueAt(value, reference);
  } catch (error) {
    if (error instanceof UnresolvedReferenceError) return null;
    throw error;
  }
}

function faultOf(message: string): Verdict {
  return { kind: "fault", fault: { code: "condition_unclear", message } };
}
