/** Calls that show and control plans. */
import { PlanId, PlanView, Rating } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { EXAMPLE_PLAN_ID, PlanPath } from "../plan-ids.ts";
import { PlanStatus } from "./plan-list.ts";

/** Proxies abort requests that take much longer. */
const WAIT_S_MAX = 60;

/** A user's reason or comment. */
const Remark = z.string().trim().min(1).max(2_000);

const ViewQuery = z.strictObject({
  seq: z.coerce.number().pipe(z.int().min(1)).optional().meta({
    description: "History: the state of the plan after this many events. Default: the current state.",
  }),
  wait: z.coerce.number().pipe(z.int().min(0).max(WAIT_S_MAX)).default(0).meta({
    description:
      "Maximum time in seconds to wait for the plan to finish before responding. Ignored with `seq`.",
  }),
});

export const CancelBody = z.strictObject({ reason: Remark.optional() });
export const PauseBody = z.strictObject({ reason: Remark.optional() });
export const ResumeBody = z.strictObject({});
export const Cancelled = z.object({ planId: PlanId, status: z.literal("cancelled") });
export const Deleting = z.object({ planId: PlanId, status: z.literal("deleting") });
export const PlanState = z.object({ planId: PlanId, status: PlanStatus });
export type PlanState = z.output<typeof PlanState>;

export const FeedbackBody = z.strictObject({
  rating: Rating.meta({ description: "From 1 (useless) to 5 (exactly right)." }),
  comment: Remark.optional(),
  by: z.string().trim().min(1).max(128).optional().meta({ description: "Name, if there is no identity." }),
});
export type FeedbackBody = z.output<typeof FeedbackBody>;
export const Feedback = PlanView.shape.feedback.unwrap();
export type Feedback = z.output<typeof Feedback>;

const tag = "plans";
const EXAMPLE_STATE = { planId: EXAMPLE_PLAN_ID, status: "paused" };

export const getPlan = defineEndpoint({
  id: "getPlan",
  method: "GET",
  path: "/v1/plans/:planId",
  tag,
  summary: "Get a plan",
  description:
    "Returns the complete view: status, steps, progress, approvals, facts, effects, budget, answer. With `wait`, the request stays open until the plan has finished; repeat it while `ended` is false.",
  params: PlanPath,
  query: ViewQuery,
  responses: { 200: PlanView },
  problems: ["plan_not_found", "too_many_watchers"],
});

export const cancelPlan = defineEndpoint({
  id: "cancelPlan",
  method: "POST",
  path: "/v1/plans/:planId/cancel",
  tag,
  summary: "Cancel a plan",
  description: "Stops running steps. Cancelling again succeeds and changes nothing.",
  params: PlanPath,
  body: CancelBody,
  bodyOptional: true,
  responses: { 202: Cancelled },
  problems: ["plan_not_found", "plan_ended", "store_full"],
  example: {
    body: { reason: "no longer needed" },
    response: { planId: EXAMPLE_PLAN_ID, status: "cancelled" },
  },
});

export const deletePlan = defineEndpoint({
  id: "deletePlan",
  method: "DELETE",
  path: "/v1/plans/:planId",
  tag,
  summary: "Delete a finished plan",
  description:
    "Deletes all stored data of the plan: its log, files, facts, trace, dead letters and sub-plans. Status 202: the plan is hidden, but no planner erased it within ten seconds; a planner will do so later. Deleting again succeeds. The Idempotency-Key remains reserved: submissions with it get status 410.",
  params: PlanPath,
  responses: { 204: null, 202: Deleting },
  problems: ["plan_not_found", "plan_not_ended", "plan_is_sub_plan", "store_full"],
});

export const pausePlan = defineEndpoint({
  id: "pausePlan",
  method: "POST",
  path: "/v1/plans/:planId/pause",
  tag,
  summary: "Pause a plan",
  description: "Running steps finish, and no new ones start. Sub-plans are paused too.",
  params: PlanPath,
  body: PauseBody,
  bodyOptional: true,
  responses: { 202: PlanState },
  problems: ["plan_not_found", "plan_ended", "store_full"],
  example: { body: { reason: "waiting for new data" }, response: EXAMPLE_STATE },
});

export const resumePlan = defineEndpoint({
  id: "resumePlan",
  method: "POST",
  path: "/v1/plans/:planId/resume",
  tag,
  summary: "Resume a paused plan",
  params: PlanPath,
  body: ResumeBody,
  bodyOptional: true,
  responses: { 202: PlanState },
  problems: ["plan_not_found", "plan_ended", "plan_not_paused", "store_full"],
  example: { body: {}, response: { ...EXAMPLE_STATE, status: "running" } },
});

export const ratePlan = defineEndpoint({
  id: "ratePlan",
  method: "POST",
  path: "/v1/plans/:planId/feedback",
  tag,
  summary: "Rate a finished plan",
  description: "The latest rating counts. The log keeps all ratings.",
  params: PlanPath,
  body: FeedbackBody,
  responses: { 200: Feedback },
  problems: ["plan_not_found", "plan_not_ended", "feedback_given", "store_full"],
  example: {
    body: { rating: 4, comment: "complete, a little long" },
    response: {
      number: 1,
      rating: 4,
      comment: "complete, a little long",
      by: "default",
      at: "2026-01-31T10:05:00.000Z",
    },
  },
});

export const getContinuity = defineEndpoint({
  id: "getContinuity",
  method: "GET",
  path: "/v1/plans/:planId/continuity.md",
  tag,
  summary: "Get the knowledge of a plan as Markdown",
  description: "Returns the goal, facts with their sources, open questions, steps and answer.",
  params: PlanPath,
  responses: { 200: { mediaTypes: ["text/markdown"], description: "The page." } },
  problems: ["plan_not_found"],
});
