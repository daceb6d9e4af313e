/** Reviews a plan's results: writes the answer or requests a revision; of a tree search's round, values the actions. */
import {
  type ActionValue,
  type Answer,
  AnswerDrafted,
  AnswerGiven,
  answerInstead,
  draftedAnswer,
  type EventHead,
  isAnswerJudged,
  isToBeRewritten,
  JoinAbandoned,
  type Json,
  JoinWork,
  type KnownPlan,
  MODEL_UNAVAILABLE,
  NodesValued,
  partialAnswer,
  type PlanEvent,
  RevisionRequested,
  strategyOf,
} from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import type { JobFailure, ModelJob, Untraced } from "@planwright/shared/jobs";
import { answerOf, keepLargeAnswer } from "../answer-of.ts";
import { type HandlerDeps, loadOutputs } from "../load-outputs.ts";
import { askForValues } from "../replies/action-values.ts";
import { askForJudgement, type Judgement } from "../replies/judgement.ts";

type Synthesis =
  /** `draft`: it is reviewed before it is given. */
  | { readonly decision: "answer" | "draft"; readonly answer: Answer }
  /** With the best that can be said so far. */
  | { readonly decision: "revise"; readonly answer: Answer; readonly reason: string }
  | { readonly decision: "value"; readonly values: readonly ActionValue[]; readonly cause?: string }
  /** The plan asks again, now or later. */
  | ({ readonly decision: "abandon" } & Pick<JoinAbandoned["data"], "cause" | "message" | "retryAfterMs">);

/** Without a model the plan is answered all the same, so that it does not wait for a synthesis that will never come. */
export function synthesizeAnswer(deps: HandlerDeps): ModelJob<Untraced<JoinWork>, Synthesis> {
  return {
    Schema: JoinWork,
    destination: "work.reflect",
    consumer: "reflector",
    attributes: ({ join }) => ({ "plan.join": join }),
    span: ({ join }, { planId, revision }, stepSpans) => ({
      name: "invoke_agent reflector",
      links: [...stepSpans.values()],
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "reflector",
        "plan.id": planId,
        "plan.revision": revision,
        "plan.join": join,
      },
    }),
    interrupted: "the reflector stopped before the answer was complete",
    modelWork: ({ join }) => ({ kind: "join", join }),
    tried: ({ joining }) => ({ tried: joining.tries }),

    async ask({ plan, ...asking }) {
      const loaded = await loadOutputs(deps.artifacts, plan);
      if (strategyOf(plan).synthesis(plan) === "values") {
        return { decision: "value", values: await askForValues(plan, loaded, asking) };
      }
      return synthesisOf(plan, await askForJudgement(plan, loaded, asking), loaded);
    },

    async record({ work, plan, outcome, failure, used, trace }) {
      const { planId, join } = work;
      const found = outcome ?? withoutModel(plan, failure);
      const { decision } = found;
      const result =
        "answer" in found
          ? { ...found, answer: await keepLargeAnswer(deps.artifacts, work, found.answer) }
          : found;
      const event = eventOf({ ...work, at: deps.now() }, result, { join, ...used });
      await appendEvent(deps.publish, event, { trace });
      if (!("answer" in result)) return { "plan.join.decision": decision };
      if (failure !== undefined)
        deps.log.error({ planId, cause: failure.message }, "answered without a model");
      return { "plan.join.decision": decision, "plan.answer.status": result.answer.status };
    },
  };
}

function eventOf(
  head: EventHead,
  found: Synthesis,
  made: Pick<NodesValued["data"], "join" | "usage" | "forfeited">,
): PlanEvent {
  switch (found.decision) {
    case "answer":
      return AnswerGiven.create(head, { ...made, ...found });
    case "draft":
      return AnswerDrafted.create(head, { ...made, ...found });
    case "revise":
      return RevisionRequested.create(head, { ...made, ...found });
    case "value":
      return NodesValued.create(head, { ...made, ...found, values: [...found.values] });
    case "abandon":
      return JoinAbandoned.create(head, { ...made, ...found });
    default:
      found satisfies never;
      return found;
  }
}

/** Without an output of the step that answers, the model decides about a revision only: its text is not used. */
function synthesisOf(plan: KnownPlan, judgement: Judgement, loaded: ReadonlyMap<string, Json>): Synthesis {
  const instead = answerInstead(plan)?.answer;
  const decision = instead === undefined && isToBeRewritten(plan) ? "answer" : judgement.decision;
  const answer = instead ?? answerOf(plan, { ...judgement, decision }, loaded);
  if (decision === "revise") return { decision, answer, reason: judgement.reason };
  return { decision: instead === undefined && isAnswerJudged(plan) ? "draft" : "answer", answer };
}

/** What was drafted before stands, though its reviewer wanted better. */
function withoutModel(
  plan: KnownPlan,
  failure: JobFailure = { cause: "dead_lettered", message: "" },
): Synthesis {
  const { cause, message } = failure;
  if (cause === "interrupted" || cause === "allowance_spent" || cause === MODEL_UNAVAILABLE) {
    return { decision: "abandon", ...failure, cause };
  }
  if (strategyOf(plan).synthesis(plan) === "values" && cause !== "dead_lettered") {
    return { decision: "value", values: [], cause: message };
  }
  const partial = partialAnswer(plan, `No model reviewed these results: ${message}.`);
  return { decision: "answer", answer: draftedAnswer(plan) ?? partial };
}
