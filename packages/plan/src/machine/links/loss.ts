/** What a plan does about a step that has failed permanently, together with all its fallbacks. */
import type { NextPlan, StepEntry } from "../plan-state.ts";
import type { StepError } from "../../events/step-events.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { requestRevision } from "../drafting/revisions.ts";
import { strategyOf } from "../drafting/strategies.ts";
import { isLost } from "./standing.ts";
import { VERIFICATION_FAILED } from "./verification.ts";

/** The error `code` of a step whose output missed its expectation in a review. */
export const EXPECTATION_MISSED = "expectation_missed";

/** The failures that always cause a revision. For any other failure, the submission decides. */
const CAUSES: Readonly<Record<string, "verification" | "expectation">> = {
  [VERIFICATION_FAILED]: "verification",
  [EXPECTATION_MISSED]: "expectation",
};

/** Requests a revision, if there is a cause for one, once no fallback is left for the step. */
export function reviseAfterLoss(next: NextPlan, stepId: StepId, suggestion = ""): void {
  const entry = next.steps.get(stepId);
  if (entry === undefined || !isLost(entry)) return;
  const failures = failuresOf(next, entry);
  const judged = failures.map(({ error }) => CAUSES[error.code]).find((cause) => cause !== undefined);
  const { revisesAfter } = strategyOf(next);
  const isWanted =
    judged !== undefined ||
    next.goal.replanOnFailure ||
    failures.some((failure) => revisesAfter(failure.entry, failure.error));
  if (failures.length === 0 || !isWanted) return;
  const said = failures.map(tell).join("; its fallback also failed: ");
  const reason = suggestion === "" ? said : `${said}. Suggestion: ${suggestion}`;
  requestRevision(next, { cause: judged ?? "failure", stepId, reason });
}

type Failure = { readonly entry: StepEntry; readonly error: StepError };

/** Returns the failures of the step and of its fallbacks, in that order. */
function failuresOf({ steps }: NextPlan, first: StepEntry): Failure[] {
  const failures: Failure[] = [];
  let entry: StepEntry | undefined = first;
  for (let hops = 0; entry !== undefined && hops <= LIMITS.fallbacksMax; hops++) {
    const { state, step }: StepEntry = entry;
    if (state.status === "failed") failures.push({ entry, error: state.error });
    entry = step.fallback === undefined ? undefined : steps.get(step.fallback);
  }
  return failures;
}

function tell({ entry, error }: Failure): string {
  const { id, description } = entry.step;
  const name = description === "" ? `Step ${id}` : `Step ${id} (${description})`;
  const missed = error.code === EXPECTATION_MISSED;
  return `${name} ${missed ? "did not deliver what was expected" : "failed"}: ${error.message}`;
}
