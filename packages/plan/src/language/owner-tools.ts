/**
 * Tools that occupy no worker: the dispatcher runs them.
 *
 * `plan.run` submits another plan and waits for its end; `human.ask` waits for a person's answer. Neither has a message in any
 * queue in the meantime.
 */
import { z } from "zod";
import { JsonObject } from "../values/json.ts";
import { HUMAN_ASK, PLAN_RUN } from "./tool-names.ts";
import { ToolSpec } from "./tool-spec.ts";

export { isOwnerTool, PLAN_RUN } from "./tool-names.ts";

/** No worker serves this pool: its steps are never sent. */
const OWNER_POOL = "owner";
/** The timeout shown for a sub-plan. Nothing enforces it: only a timeout that a step sets explicitly is enforced. */
const DAY_MS = 86_400_000;

/** The arguments of `plan.run`; at least one of the two is required. */
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
    "Delegate a part of the work to a sub-plan. With `goal` alone it is planned separately; with `plan` it runs as written. " +
    "Output: {text, status, data, planId}; its answer is s1.output.text.",
  input: {
    type: "object",
    properties: {
      goal: {
        type: "string",
        description: "What the sub-plan must achieve, in full: its planner sees nothing else.",
      },
      plan: {
        type: "object",
        description:
          "The steps of the sub-plan: {steps, answerFrom?}. References in it are to its own steps.",
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
    "Ask a user a question and wait for the answer; other steps continue meanwhile. Use it only if no tool can find or decide the answer. " +
    "Output: {answer, by}.",
  input: {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1, maxLength: 4_000, description: "The full question." },
      choices: {
        type: "array",
        items: { type: "string", minLength: 1, maxLength: 200 },
        minItems: 1,
        maxItems: CHOICES_MAX,
        description: "The allowed answers; default: any.",
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

/** The specs of these tools, for tool lists. */
export const OWNER_TOOLS: readonly ToolSpec[] = [planRun, humanAsk];
