/** The evaluation's result for one plan. */
import type { Outcome, PlanEvent, PlanView } from "@planwright/plan";

export type Measured = {
  readonly example: string;
  /** The answer's status; without an answer, the plan's own, or the reason. */
  readonly verdict: string;
  readonly succeeded: boolean;
  /** The expected status. */
  readonly expected: Outcome;
  /** Whether the plan ended as expected. */
  readonly asExpected: boolean;
  /** Whether the first draft was a valid plan; null when nothing was drafted. */
  readonly validFirstDraft: boolean | null;
  readonly steps: number;
  readonly replans: number;
  readonly calls: number;
  readonly tokens: number;
  readonly seconds: number;
};

/** @param events - All events of the plan, in order. */
export function measurePlan(
  example: string,
  {
    view,
    events,
    expected,
    ms,
  }: {
    readonly view: PlanView;
    readonly events: readonly PlanEvent[];
    readonly expected: Outcome;
    readonly ms: number;
  },
): Measured {
  const { modelCalls, inputTokens, outputTokens } = view.usage;
  return {
    example,
    verdict: view.answer?.status ?? view.status,
    succeeded: view.status === "succeeded",
    expected,
    asExpected: view.status === expected,
    validFirstDraft: isFirstDraftValid(events),
    steps: view.steps.length,
    replans: view.revision,
    calls: modelCalls,
    tokens: inputTokens + outputTokens,
    seconds: Math.round(ms / 10) / 100,
  };
}

/** Whether the first draft that the model finished, validly or not, was valid; null when it finished none. */
function isFirstDraftValid(events: readonly PlanEvent[]): boolean | null {
  for (const { type, data } of events) {
    if (type === "plan.sealed") return true;
    if (type === "draft.abandoned" && data.cause !== "interrupted") return false;
  }
  return null;
}
