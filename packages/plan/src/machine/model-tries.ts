import type { ModelFailed, ModelTries, ModelWork } from "../events/model-events.ts";
import { isSameAttempt } from "./step/attempts.ts";
import { noteDraftTries } from "./drafting/request-draft.ts";
import { noteJoinTries } from "./ending/joins.ts";
import type { NextPlan, StepState } from "./plan-state.ts";
import { noteCritiqueTries } from "./review/critiques.ts";
import { putRun, runOf } from "./step/runs.ts";
import { isNewer } from "./model-outage.ts";

/** Records how many tries a piece of work has used, if the plan still waits for that work. */
export function noteTries(next: NextPlan, { data }: ModelFailed): boolean {
  const { work, tries } = data;
  switch (work.kind) {
    case "draft":
      return noteDraftTries(next, work.draft, tries);
    case "join":
      return noteJoinTries(next, work.join, tries);
    case "critique":
      return noteCritiqueTries(next, work, tries);
    case "review":
    case "step":
      return noteStepTries(next, work, tries);
    default:
      work satisfies never;
      return false;
  }
}

type StepWork = Extract<ModelWork, { kind: "step" | "review" }>;

function noteStepTries(next: NextPlan, work: StepWork, tries: ModelTries): boolean {
  const entry = runOf(next, work);
  if (entry === undefined || !isAwaited(entry.state, work) || !isNewer(entry.state.tries, tries))
    return false;
  putRun(next, { ...entry, state: { ...entry.state, tries } });
  return true;
}

function isAwaited(
  state: StepState,
  work: StepWork,
): state is Extract<StepState, { status: "running" | "reviewing" }> {
  if (work.kind === "step") return state.status === "running" && isSameAttempt(state, work);
  return state.status === "reviewing" && state.review === work.review && state.attempt === work.attempt;
}
