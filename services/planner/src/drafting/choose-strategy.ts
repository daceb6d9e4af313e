import { PLAN_RUN, type PlanSize, routeGoal, type Strategy, type ToolSpec, WRITER } from "@planwright/plan";
import type { ChosenStrategy } from "./draft-request.ts";

export type Choice = { readonly strategy: ChosenStrategy; readonly reason: string };

/** Decides what drafting does with a goal, and says why in one sentence. */
export function chooseStrategy({
  asked,
  goal,
  tools,
  revision,
  planSize = {},
}: {
  readonly asked: Strategy;
  readonly goal: string;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** 0 for the first plan. */
  readonly revision: number;
  readonly planSize?: PlanSize | undefined;
}): Choice {
  // A summary is planned once, from the text; whatever comes after is a plan like any other.
  if (asked === "summarize" || (asked === "auto" && revision > 0)) {
    return {
      strategy: "parallel",
      reason: "the results so far were insufficient, so the goal is planned again",
    };
  }
  const choice: Choice =
    asked === "auto" ? routeGoal(goal, tools) : { strategy: asked, reason: "requested by the submission" };
  const { min = 1 } = planSize;
  if (asked === "auto" && choice.strategy === "direct" && min > 1) {
    return { strategy: "parallel", reason: `planSize requires at least ${min} steps` };
  }
  if (choice.strategy === "hierarchical" && !tools.has(PLAN_RUN)) {
    return { strategy: "parallel", reason: "this plan can have no sub-plans: it is a leaf" };
  }
  if (choice.strategy !== "direct" || tools.has(WRITER)) return choice;
  return { strategy: "parallel", reason: `one call would need ${WRITER}, which this plan cannot use` };
}
