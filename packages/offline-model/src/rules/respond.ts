/** The offline model's replies: which rules a request is for, and how their result is written. */
import { readJudgementPrompt, readPlanPrompt, readWritePrompt } from "../prompt/plan-prompt.ts";
import { type ChatRequest, schemaNameOf, textOf } from "../protocol/chat-request.ts";
import type { Reply } from "../protocol/reply.ts";
import { judgeResults } from "./judge/judge-results.ts";
import { type DraftedPlan, draftPlan } from "./plan/draft-plan.ts";
import { revisePlan } from "./plan/revise-plan.ts";
import { writeText } from "./write/write-text.ts";
import { NOTICE } from "./notice.ts";

/** Never throws on a prompt: what it cannot read, it answers honestly. */
export function respond(request: ChatRequest): Reply {
  const user = textOf(request, "user");
  const schemaName = schemaNameOf(request);
  if (schemaName === "plan") return planPieces(planFor(user));
  if (schemaName === "judgement") return JSON.stringify(judgeResults(readJudgementPrompt(user)));
  if (schemaName !== null)
    return { refusal: `${NOTICE}: no rule writes a reply of the schema "${schemaName}"` };
  return writeText(readWritePrompt(user));
}

function planFor(user: string): DraftedPlan {
  const prompt = readPlanPrompt(user);
  const isFirst = prompt.reason === null && prompt.issues.length === 0 && prompt.results.length === 0;
  return isFirst ? draftPlan(prompt, { firstNumber: 1 }) : revisePlan(prompt);
}

/** One piece a step, so that a reader can start each at its closing brace. */
async function* planPieces({ reasoning, steps, answerFrom }: DraftedPlan): AsyncGenerator<string> {
  yield `{"reasoning":${JSON.stringify(reasoning)},"steps":[`;
  for (const [index, step] of steps.entries()) yield `${index === 0 ? "" : ","}${JSON.stringify(step)}`;
  yield `],"answerFrom":${JSON.stringify(answerFrom)}}`;
}
