import type { StepView } from "../step-view.ts";

export type MatchedSteps = {
  /** In the order of the left plan. `work`: their ids differ, and tool and description are the same. */
  readonly pairs: readonly {
    readonly left: StepView;
    readonly right: StepView;
    readonly matchedBy: "id" | "work";
  }[];
  readonly onlyLeft: readonly StepView[];
  readonly onlyRight: readonly StepView[];
};

/**
 * Which step of one plan is which of another: those of one id first, then those of one tool and description, the first
 * left over on one side with the first left over on the other. Every step is in exactly one place.
 */
export function matchSteps(left: readonly StepView[], right: readonly StepView[]): MatchedSteps {
  const byId = pairUp(left, right, ({ id }) => id);
  const byWork = pairUp(byId.onlyLeft, byId.onlyRight, workOf);
  const place = new Map(left.map((step, index) => [step, index]));
  const pairs = [
    ...byId.pairs.map((pair) => ({ ...pair, matchedBy: "id" as const })),
    ...byWork.pairs.map((pair) => ({ ...pair, matchedBy: "work" as const })),
  ].toSorted((one, other) => (place.get(one.left) ?? 0) - (place.get(other.left) ?? 0));
  return { pairs, onlyLeft: byWork.onlyLeft, onlyRight: byWork.onlyRight };
}

/** Undefined for a step that says nothing about itself: its tool alone does not make it the same. */
function workOf({ tool, description }: StepView): string | undefined {
  return description === "" ? undefined : JSON.stringify([tool, description]);
}

function pairUp(
  left: readonly StepView[],
  right: readonly StepView[],
  keyOf: (step: StepView) => string | undefined,
) {
  const waiting = Map.groupBy(right, keyOf);
  const pairs: { left: StepView; right: StepView }[] = [];
  const onlyLeft: StepView[] = [];
  for (const step of left) {
    const key = keyOf(step);
    const match = key === undefined ? undefined : waiting.get(key)?.shift();
    if (match === undefined) onlyLeft.push(step);
    else pairs.push({ left: step, right: match });
  }
  const taken = new Set(pairs.map((pair) => pair.right));
  return { pairs, onlyLeft, onlyRight: right.filter((step) => !taken.has(step)) };
}
