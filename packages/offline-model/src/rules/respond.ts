/** The demo model's replies: which rules apply to a request, and how their result is written. */
import { type Json, toWire } from "@planwright/shared/prompt";
import {
  readAnswerCritique,
  readPlanCritique,
  readStepCritique,
  readValuesPrompt,
} from "../prompt/critique-prompt.ts";
import {
  type PlanPrompt,
  readJudgementPrompt,
  readPlanPrompt,
  readWritePrompt,
} from "../prompt/plan-prompt.ts";
import { type ChatRequest, schemaNameOf, textOf } from "../protocol/chat-request.ts";
import type { Reply } from "../protocol/reply.ts";
import { judgeAnswer, judgePlan, judgeStep, valueActions } from "./judge/critics.ts";
import { judgeResults } from "./judge/judge-results.ts";
import { NOTICE } from "./notice.ts";
import { type DraftedPlan, draftPlan } from "./plan/draft-plan.ts";
import type { PlannedStep } from "./plan/planned-step.ts";
import { nextNumber, revisePlan } from "./plan/revise-plan.ts";
import { writeText } from "./write/write-text.ts";

/** Never throws on a prompt: if it cannot read one, it replies that it cannot. */
export function respond(request: ChatRequest): Reply {
  const user = textOf(request, "user");
  const schemaName = schemaNameOf(request);
  if (schemaName === "plan") return planPieces(planFor(user));
  if (schemaName === "judgement") return JSON.stringify(judgeResults(readJudgementPrompt(user)));
  if (schemaName !== null && Object.hasOwn(CRITICS, schemaName)) {
    return JSON.stringify(CRITICS[schemaName]?.(user));
  }
  if (schemaName !== null)
    return { refusal: `${NOTICE}: no rule writes a reply of the schema "${schemaName}"` };
  return writeText(readWritePrompt(user));
}

/** The reviewers of intermediate results, by the schema's name. */
const CRITICS: Readonly<Record<string, (user: string) => object>> = {
  step_review: (user) => judgeStep(readStepCritique(user)),
  plan_review: (user) => judgePlan(readPlanCritique(user)),
  answer_review: (user) => judgeAnswer(readAnswerCritique(user)),
  values: (user) => valueActions(readValuesPrompt(user)),
};

function planFor(user: string): DraftedPlan {
  const prompt = readPlanPrompt(user);
  if (hasNotRun(prompt)) return draftPlan(prompt, { firstNumber: nextNumber(prompt, []) });
  return revisePlan(prompt);
}

/** A first plan, or one that a reviewer wants changed before any of it has run: the rules have no other plan. */
function hasNotRun({ reason, issues, results }: PlanPrompt): boolean {
  if (issues.length > 0) return false;
  return reason === null ? results.length === 0 : results.every(({ status }) => status === "waiting");
}

/** One piece per step, so that a reader can start each at its closing brace. */
async function* planPieces({ reasoning, steps, answerFrom }: DraftedPlan): AsyncGenerator<string> {
  yield `{"reasoning":${JSON.stringify(reasoning)},"steps":[`;
  for (const [index, step] of steps.entries())
    yield `${index === 0 ? "" : ","}${JSON.stringify(toWire(asJson(step)))}`;
  yield `],"answerFrom":${JSON.stringify(answerFrom)}}`;
}

/** A step in the form sent; it contains only JSON and text. */
function asJson(step: PlannedStep): Json {
  return JSON.parse(JSON.stringify(step)) as Json;
}
