/** Reviews a plan's results: writes the answer or requests a revision; of a tree search's round, values the actions. */
import {
  type ActionValue,
  type Answer,
  answerInstead,
  draftedAnswer,
  isAnswerJudged,
  isToBeRewritten,
  type Json,
  JoinWork,
  type KnownPlan,
  partialAnswer,
  type PlanEvent,
} from "@planwright/plan";
import type { JobFailure, ModelJob, Untraced } from "@planwright/shared/jobs";
import { answerOf } from "../answer/answer-of.ts";
import { keepLargeAnswer } from "../answer/keep-large-answer.ts";
import { loadOutputs } from "../load-outputs.ts";
import { recordResult } from "../record-result.ts";
import { askForValues } from "../replies/action-values.ts";
import { askForJudgement, type Judgement } from "../replies/judgement.ts";
import type { ReflectorDeps } from "../start-reflector.ts";

type Synthesis =
  /** `draft`: it is reviewed before it is given. */
  | { readonly decision: "answer" | "draft"; readonly answer: Answer }
  /** With the best that can be said so far. */
  | { readonly decision: "revise"; readonly answer: Answer; readonly reason: string }
  | { readonly decision: "value"; readonly values: readonly ActionValue[]; readonly cause?: string }
  /** The plan asks again, now or later. */
  | ({ readonly decision: "abandon" } & JobFailure);

const TYPES = {
  answer: "answer.given",
  draft: "answer.drafted",
  revise: "revision.requested",
  abandon: "join.abandoned",
  value: "nodes.valued",
} as const satisfies Record<Synthesis["decision"], PlanEvent["type"]>;

/** Without a model the plan is answered all the same, so that it does not wait for a synthesis that will never come. */
export function synthesizeAnswer(
  deps: Pick<ReflectorDeps, "artifacts" | "publish" | "now" | "log">,
): ModelJob<Untraced<JoinWork>, Synthesis> {
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
      if (plan.search?.phase === "valuing") {
        return { decision: "value", values: await askForValues(plan, loaded, asking) };
      }
      return synthesisOf(plan, await askForJudgement(plan, loaded, asking), loaded);
    },

    async record({ work, plan, outcome, failure, used, trace }) {
      const { planId, join } = work;
      const { decision, ...came } = outcome ?? withoutModel(plan, failure);
      const answer = "answer" in came ? await keepLargeAnswer(deps.artifacts, work, came.answer) : undefined;
      const data = { join, ...came, ...used, ...(answer === undefined ? {} : { answer }) };
      await recordResult(deps, work, { name: `join/${join}/done`, type: TYPES[decision], data, trace });
      if (answer === undefined) return { "plan.join.decision": decision };
      if (failure !== undefined)
        deps.log.error({ planId, cause: failure.message }, "answered without a model");
      return { "plan.join.decision": decision, "plan.answer.status": answer.status };
    },
  };
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
  const isFinal = cause === "model_failed" || cause === "unusable" || cause === "dead_lettered";
  if (!isFinal) return { decision: "abandon", ...failure };
  if (plan.search?.phase === "valuing" && cause !== "dead_lettered") {
    return { decision: "value", values: [], cause: message };
  }
  const partial = partialAnswer(plan, `No model reviewed these results: ${message}.`);
  return { decision: "answer", answer: draftedAnswer(plan) ?? partial };
}
