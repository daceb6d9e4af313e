/** Plans: submit, read, follow and control them. */
import type {
  Accepted,
  Answer,
  EventPage,
  Feedback,
  FeedbackBody,
  NumberedEvent,
  PlanCheck,
  PlanCounts,
  PlanFilter,
  PlanPage,
  PlanSort,
  PlanState,
  PlanSummary,
  PlanView,
  Preview,
  SortOrder,
  Submission,
  SubmissionInput,
  Trace,
} from "@planwright/api";
import type { Json, JsonObject } from "@planwright/plan";
import type { AnswerOf } from "../http/routes.ts";
import type { Transport } from "../http/transport.ts";
import { followEvents } from "../live/follow-events.ts";
import type { Live } from "../live/live.ts";
import { watchPlan } from "../live/watch-plan.ts";
import type { FollowOptions, RequestOptions, SubmitOptions } from "../options.ts";
import { type Approvals, approvalsOf } from "./approvals.ts";
import { type Artifacts, artifactsOf } from "./artifacts.ts";
import { createPages, type Pages } from "./pages.ts";
import { waitForEnd, type WaitOptions } from "./wait.ts";

/** Filters the plans; lists all when empty. */
export type PlanQuery = Partial<Omit<PlanFilter, "parent" | "id">> & {
  /** Only sub-plans of this plan. */
  readonly parent?: string | undefined;
  /** Beginning of the plan's id, case-sensitive. */
  readonly id?: string | undefined;
  /** The order of the plans; `started` by default. */
  readonly sort?: PlanSort | undefined;
  /** `desc` by default: newest or highest first. */
  readonly order?: SortOrder | undefined;
  /** Plans per page: 1 to 200, default 50. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of an earlier page in the same order, to continue from there. */
  readonly cursor?: string | undefined;
};

/** A plan that has ended, with its answer. */
export type EndedPlan = PlanView & { readonly answer: Answer };

export type Fork = {
  /** The finished step that runs again, together with all steps that depend on it. */
  readonly fromStep: string;
  /** The arguments for that step; its original ones when absent. */
  readonly edits?: JsonObject | undefined;
};

export type Plans = {
  /**
   * Submits a goal, or a plan to run unchanged. Resolves when the gateway has stored it.
   *
   * Safe to retry: an Idempotency-Key is sent with every submission.
   */
  submit(submission: SubmissionInput, options?: SubmitOptions): Promise<Accepted>;
  /** The whole view of a plan. @param options.seq - History: the view after this many events. */
  get(planId: string, options?: RequestOptions & { readonly seq?: number | undefined }): Promise<PlanView>;
  /** Plans, newest first or in the order of `sort`, over as many pages as you read. */
  list(query?: PlanQuery, options?: RequestOptions): Pages<PlanSummary, PlanPage>;
  /** Counts the plans of each view, up to 1,000. @param views - Up to 40 queries such as `status=failed`; "" is all. */
  count(views: readonly string[], options?: RequestOptions): Promise<PlanCounts>;
  /**
   * Waits until the plan has ended.
   *
   * @throws {PlanFailedError} When it failed or was cancelled.
   * @throws {WaitTimeoutError} When it did not end within `timeoutMs`; it continues.
   */
  wait(planId: string, options?: WaitOptions): Promise<EndedPlan>;
  /**
   * Every event of a plan, in order and once, until the plan has ended. Resumes after the last one when a connection
   * breaks. Events are read only as fast as you consume them.
   *
   * @param options.after - The number of the last event already known; 0 by default.
   * @throws {ConnectionError} When the gateway has been away for `awayMs`.
   */
  events(
    planId: string,
    options?: FollowOptions & { readonly after?: number | undefined },
  ): AsyncGenerator<NumberedEvent, void, undefined>;
  /**
   * The plan's view, now and whenever it changes, until the plan has ended. Unchanged parts are the same objects in the
   * next snapshot. A slow reader can miss snapshots, but never the last one.
   *
   * Uses the WebSocket, which reconnects; where there is none, server-sent events.
   *
   * @throws {ConnectionError} When the gateway has been away for `awayMs`.
   */
  watch(planId: string, options?: FollowOptions): AsyncGenerator<PlanView, void, undefined>;
  /** One page of events. @param options.limit - 1 to 10,000, default 1,000. */
  eventPage(
    planId: string,
    options?: RequestOptions & { readonly after?: number | undefined; readonly limit?: number | undefined },
  ): Promise<EventPage>;
  /** Cancels a plan: running steps are stopped. Cancelling again succeeds. */
  cancel(planId: string, options?: RequestOptions & Reason): Promise<AnswerOf<"cancelPlan">>;
  /** Pauses a plan: running steps finish, nothing new starts. */
  pause(planId: string, options?: RequestOptions & Reason): Promise<PlanState>;
  resume(planId: string, options?: RequestOptions): Promise<PlanState>;
  /**
   * Deletes an ended plan with all its stored data, sub-plans included. Deleting again succeeds.
   *
   * @throws {ProblemError} `plan_not_found`, `plan_not_ended`: cancel it first, `plan_is_sub_plan`: delete its parent.
   */
  delete(planId: string, options?: RequestOptions): Promise<void>;
  /** Runs a plan again as a new one. @param options.edits - Fields of its submission to replace; `null` removes one. */
  rerun(
    planId: string,
    options?: SubmitOptions & { readonly edits?: Readonly<Record<string, unknown>> | undefined },
  ): Promise<Accepted>;
  /** Creates a new plan that keeps the results before a step, and runs from there. */
  fork(planId: string, fork: Fork, options?: SubmitOptions): Promise<Accepted>;
  /** The submission that would run a plan again. */
  submission(planId: string, options?: RequestOptions): Promise<Submission>;
  /** The plan that a submission would run; nothing is stored. Default time-out 180,000 ms: a model may draft it. */
  preview(submission: SubmissionInput, options?: RequestOptions): Promise<Preview>;
  /** Every error in a plan document. */
  check(plan: unknown, options?: RequestOptions): Promise<PlanCheck>;
  /** Rates an ended plan from 1 to 5. */
  rate(planId: string, feedback: FeedbackBody, options?: RequestOptions): Promise<Feedback>;
  /** The plan's facts, as Markdown. */
  continuity(planId: string, options?: RequestOptions): Promise<string>;
  continuityUrl(planId: string): string;
  /** The plan's spans. */
  trace(planId: string, options?: RequestOptions): Promise<Trace>;
  /** Pending approvals. */
  readonly approvals: Approvals;
  /** The files that plans write. */
  readonly artifacts: Artifacts;
};

/** A model can take this long to draft a plan. */
const DRAFT_MS_MAX = 180_000;

type Reason = { readonly reason?: string | undefined };

export function plansOf(transport: Transport, live: Live): Plans {
  return {
    submit: (submission, options = {}) =>
      transport.json("submitPlan", { ...startOf(options), body: submission }),
    get: (planId, { seq, ...options } = {}) =>
      transport.json("getPlan", { ...options, params: { planId }, query: { seq: textOf(seq) } }),
    list: (query = {}, options) =>
      createPages({
        cursor: query.cursor,
        read: (cursor): Promise<PlanPage> =>
          transport.json("listPlans", {
            ...options,
            query: { ...query, limit: textOf(query.limit), cursor },
          }),
        entriesOf: ({ plans }) => plans,
      }),
    count: (views, options) => transport.json("countPlans", { ...options, query: { of: views } }),
    wait: (planId, options) => waitForEnd(transport, planId, options),
    events: (planId, options) => followEvents(transport, planId, options),
    watch: (planId, options) => watchPlan({ transport, live }, planId, options),
    eventPage: (planId, { after, limit, ...options } = {}) =>
      transport.json("getEvents", {
        ...options,
        params: { planId },
        query: { after: textOf(after), limit: textOf(limit) },
      }),
    cancel: (planId, { reason, ...options } = {}) =>
      transport.json("cancelPlan", { ...options, params: { planId }, body: { reason } }),
    pause: (planId, { reason, ...options } = {}) =>
      transport.json("pausePlan", { ...options, params: { planId }, body: { reason } }),
    resume: (planId, options) => transport.json("resumePlan", { ...options, params: { planId }, body: {} }),
    delete: async (planId, options) =>
      void (await transport.text("deletePlan", { ...options, params: { planId } })),
    rerun: (planId, { edits, ...options } = {}) =>
      transport.json("rerunPlan", { ...startOf(options), params: { planId }, body: { edits } }),
    fork: (planId, fork, options = {}) =>
      transport.json("forkPlan", { ...startOf(options), params: { planId }, body: fork }),
    submission: (planId, options) => transport.json("getSubmission", { ...options, params: { planId } }),
    preview: (submission, options) =>
      transport.json("previewPlan", { timeoutMs: DRAFT_MS_MAX, ...options, body: submission }),
    check: (plan, options) => transport.json("checkPlan", { ...options, body: { plan: plan as Json } }),
    rate: (planId, feedback, options) =>
      transport.json("ratePlan", { ...options, params: { planId }, body: feedback }),
    continuity: (planId, options) =>
      transport.text("getContinuity", {
        ...options,
        params: { planId },
        headers: { accept: "text/markdown" },
      }),
    continuityUrl: (planId) => transport.url("getContinuity", { planId }),
    trace: (planId, options) => transport.json("getTrace", { ...options, params: { planId } }),
    approvals: approvalsOf(transport),
    artifacts: artifactsOf(transport),
  };
}

/** One key for all attempts of a call. */
function startOf({ idempotencyKey = crypto.randomUUID(), traceparent, ...options }: SubmitOptions) {
  return { ...options, headers: { "idempotency-key": idempotencyKey, traceparent } };
}

function textOf(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}
