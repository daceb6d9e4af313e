/**
 * Tools that hold no worker: a plan's owner acts for them.
 *
 * `plan.run` submits another plan and waits for its end; `human.ask` waits for a person's answer. No message of theirs
 * is in any queue meanwhile.
 */
import { z } from "zod";
import { JsonObject } from "./json.ts";
import { HUMAN_ASK, PLAN_RUN } from "./owner-tool-names.ts";
import { ToolSpec } from "./tool-spec.ts";

export { HUMAN_ASK, isOwnerTool, PLAN_RUN } from "./owner-tool-names.ts";

/** No workers serve it: what is in it is never sent. */
const OWNER_POOL = "owner";
/** A sub-plan ends by itself; this is shown, and enforced only where a step names a time-out of its own. */
const DAY_MS = 86_400_000;

/** The arguments of `plan.run`; at least one of the two. */
export const SubPlanRequest = z
  .strictObject({
    goal: z.string().trim().min(1).max(20_000).optional(),
    plan: JsonObject.optional(),
  })
  .refine(({ goal, plan }) => goal !== undefined || plan !== undefined, "wanted a goal, a plan or both");
export type SubPlanRequest = z.infer<typeof SubPlanRequest>;

const planRun = ToolSpec.parse({
  name: PLAN_RUN,
  description:
    "Hand a part of the work to a plan of its own: with `goal` alone it is planned by itself, with `plan` it runs as written. " +
    'The output is its answer: {"text": …, "status": …, "planId": …}; refer to the words as s1.output.text.',
  input: {
    type: "object",
    properties: {
      goal: {
        type: "string",
        description: "What the sub-plan is to achieve, in words: it knows nothing but what stands here.",
      },
      plan: {
        type: "object",
        description:
          "The sub-plan's steps, as a plan: {steps, answerFrom?}. References in it are to its own steps.",
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      text: { type: "string" },
      status: { type: "string" },
      data: {},
      planId: { type: "string" },
      outcome: { type: "string", enum: ["succeeded", "partial"] },
    },
    required: ["text", "status", "planId", "outcome"],
    additionalProperties: false,
  },
  risk: "low",
  effect: "idempotent",
  timeoutMs: DAY_MS,
  pool: OWNER_POOL,
});

const CHOICES_MAX = 20;

const humanAsk = ToolSpec.parse({
  name: HUMAN_ASK,
  description:
    "Ask a person a question and wait for the answer; other steps go on meanwhile. Only for what nobody but a person can know or decide. " +
    'The output is {"answer": …, "by": …}; refer to the answer as s1.output.answer.',
  input: {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1, maxLength: 4_000, description: "The question, in full." },
      choices: {
        type: "array",
        items: { type: "string", minLength: 1, maxLength: 200 },
        minItems: 1,
        maxItems: CHOICES_MAX,
        description: "The only answers that are allowed; any when absent.",
      },
    },
    required: ["question"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: { answer: {}, by: { type: "string" } },
    required: ["answer", "by"],
    additionalProperties: false,
  },
  risk: "low",
  effect: "idempotent",
  timeoutMs: DAY_MS,
  pool: OWNER_POOL,
});

/** What their specs say, for whoever lists tools. */
export const OWNER_TOOLS: readonly ToolSpec[] = [planRun, humanAsk];
