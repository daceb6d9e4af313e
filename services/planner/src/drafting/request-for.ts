/** What the next draft of a plan is based on. */
import {
  expansionOf,
  type KnownPlan,
  type StepEntry,
  type ToolSpec,
  PLAN_RUN,
  type PlanSize,
  routeGoal,
  type Strategy,
  WRITER,
} from "@planwright/plan";
import { dateOf } from "@planwright/shared/prompt";
import type { DraftRequest, ChosenStrategy } from "./draft-request.ts";
import { draftSizeOf } from "./draft-size.ts";
import type { Offer } from "./offer.ts";
import { admitted, STRATEGIES } from "./strategies.ts";

export type RequestFor = {
  readonly request: DraftRequest;
  readonly strategyReason: string;
  /** The names of the tools that the plan may use. */
  readonly tools: string[];
};

/** @param storedAt - When the draft was requested; the model is given this date. */
export function requestFor(plan: KnownPlan, offer: Offer, storedAt: Date): RequestFor {
  const { goal, constraints, strategy: asked, planSize } = plan.goal;
  const { number: draft, revision, cause, reason, issues } = plan.drafting;
  const tools = grantedTools(offer.tools, plan);
  // An improved draft has not run, so there is no evidence against its strategy.
  const isRevision = revision > 0 && cause !== "critique";
  const choice = chooseStrategy({ asked, goal, tools, revision: isRevision ? revision : 0, planSize });
  const { strategy } = choice;
  const earlier: StepEntry[] = Array.from(plan.steps.values());
  earlier.sort((left, right) => left.position - right.position);
  const asksConfidence = [plan.goal.approval, plan.goal.policy?.approval].some(
    (one) => one?.confidenceBelow !== undefined,
  );
  const size = draftSizeOf({ planSize, extent: STRATEGIES[strategy].extent, isRevision, earlier });
  const request = {
    ...offer,
    ...(size === undefined ? {} : { size }),
    goal,
    goalTemplate: plan.goal.goalTemplate,
    today: dateOf(storedAt),
    constraints,
    strategy,
    tools: admitted(strategy, tools),
    draft,
    earlier,
    knowledge: plan.knowledge,
    issues,
    asksConfidence,
    asksReview: plan.goal.review?.steps === true,
    ...(plan.goal.program === undefined ? {} : { language: plan.goal.program.language }),
    ...(reason === undefined ? {} : { reason }),
    expansion: expansionOf(plan),
    ...pastPlansFor(plan),
  };
  return { request, strategyReason: choice.reason, tools: [...tools.keys()] };
}

/** None for a revision, which has its own results to go by. */
function pastPlansFor({ goal, drafting }: KnownPlan): Pick<DraftRequest, "pastPlans"> {
  const isFirst = drafting.revision === 0 || drafting.cause === "critique";
  return isFirst && goal.pastPlans !== undefined ? { pastPlans: goal.pastPlans } : {};
}

/** A revision gets no tools that the plan's first draft did not have. */
function grantedTools(
  offered: ReadonlyMap<string, ToolSpec>,
  { toolsGranted: granted }: KnownPlan,
): ReadonlyMap<string, ToolSpec> {
  if (granted === undefined) return offered;
  return new Map(Array.from(offered).filter(([name]) => granted.includes(name)));
}

export type Choice = { readonly strategy: ChosenStrategy; readonly reason: string };

/** Decides how to draft a goal, and gives the reason in one sentence. */
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
  // A summary is planned once, from the text; any later draft is a plan like any other.
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
