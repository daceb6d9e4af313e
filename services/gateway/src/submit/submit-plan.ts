/** Accepts a goal: over HTTP and over the WebSocket alike. */
import { GoalSubmitted, PlanArchived, type PlanId, type PlanTrace } from "@planwright/plan";
import {
  type Bus,
  ConflictError,
  factSubject,
  type Publish,
  STREAMS,
  submissionSubject,
} from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import {
  childIds,
  type RandomBytes,
  renderTraceParent,
  type Span,
  sendSpan,
  type Telemetry,
  TRACEPARENT,
  withSpan,
} from "@planwright/shared/telemetry";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import type { Admission } from "./admission.ts";
import { bodyHash } from "./body-hash.ts";
import { type CheckedSubmission, checkSubmission, type Offer } from "./check-submission.ts";
import { planIdForKey, randomPlanId } from "./plan-id.ts";

export type SubmitRequest = {
  readonly tenant: string;
  /** Decoded JSON. */
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** The request's own span. */
  readonly span: Span;
};

export type Accepted = { readonly planId: PlanId; readonly traceId: string };

export type SubmitDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly book: Pick<PlanBook, "peek" | "expect">;
  readonly offer: () => Offer;
  readonly admission: Admission;
  readonly telemetry: Telemetry;
  readonly random: RandomBytes;
  readonly now: () => Date;
  readonly log: Logger;
};

export type SubmitPlan = (request: SubmitRequest) => Promise<Accepted>;

const SubmissionOrTombstone = z.union([GoalSubmitted, PlanArchived]);
type Submitted = Pick<GoalSubmitted["data"], "bodyHash" | "trace">;

/** What a message needs beside its body: headers, and room for the server to add its own. */
export const HEADROOM_BYTES = 8 * 1024;

/**
 * Makes the function that accepts plans. It answers once the log has stored the goal, so that what was accepted
 * survives any restart; a repeat of a key and body gets the first answer again.
 *
 * @throws {Problem} From the returned function: every refusal of `checkSubmission` and of the admission,
 *   `idempotency_key_reused`, `body_too_large`.
 */
export function createSubmitPlan(deps: SubmitDeps): SubmitPlan {
  return async (request) => {
    const { tenant, body, idempotencyKey, span } = request;
    // Without a key there is nothing to tell apart.
    const hash = idempotencyKey === undefined ? "" : bodyHash(body);
    const planId =
      idempotencyKey === undefined ? randomPlanId(deps.random) : planIdForKey(tenant, idempotencyKey);
    span.setAttributes({ "plan.id": planId });
    const earlier = idempotencyKey === undefined ? undefined : deps.book.peek(planId)?.goal;
    if (earlier !== undefined) return sameAsBefore(planId, earlier, hash);

    /** What was accepted once stays accepted, whatever speaks against accepting it now. */
    const acceptedBefore = async (refusal: unknown): Promise<Accepted> => {
      const stored = idempotencyKey === undefined ? undefined : await readSubmitted(deps.bus, planId);
      if (stored === undefined) throw refusal;
      return sameAsBefore(planId, stored, hash);
    };
    let checked: CheckedSubmission;
    try {
      checked = checkSubmission(body, deps.offer(), deps.now());
    } catch (refusal) {
      if (idempotencyKey === undefined) throw refusal;
      using _turn = deps.admission.enter(0);
      return await acceptedBefore(refusal);
    }
    const trace: PlanTrace = { ...childIds(span.ids, deps.random), parentSpanId: span.ids.spanId };
    const event = goalSubmitted({ planId, tenant, hash, trace, at: deps.now() }, checked);
    const payload = payloadOf(event, deps);
    using _turn = deps.admission.enter(payload.byteLength);
    try {
      deps.admission.refuseAboveOpenPlans();
    } catch (refusal) {
      return await acceptedBefore(refusal);
    }
    return await publishGoal(event, payload, { ...deps, span });
  };
}

function payloadOf(event: GoalSubmitted, deps: SubmitDeps): Buffer {
  const payload = Buffer.from(JSON.stringify(event));
  const bytesMax = deps.bus.payloadBytesMax - HEADROOM_BYTES;
  if (payload.byteLength > bytesMax) {
    throw new Problem(
      "body_too_large",
      `the log takes at most ${bytesMax} bytes of a goal with its plan, this one has ${payload.byteLength}`,
    );
  }
  return payload;
}

async function publishGoal(
  event: GoalSubmitted,
  payload: Buffer,
  { span, ...deps }: SubmitDeps & { readonly span: Span },
): Promise<Accepted> {
  const { planId, data } = event;
  const subject = factSubject(event);
  const sending = sendSpan(deps.telemetry, span.ids, {
    destination: "plan.control",
    subject,
    messageId: event.id,
    bodyBytes: payload.byteLength,
    attributes: { "plan.id": planId },
  });
  return withSpan(sending, async () => {
    const headers = { [TRACEPARENT]: renderTraceParent(sending.ids) };
    try {
      const { duplicate, sequence } = await deps.publish(subject, payload, {
        id: event.id,
        expect: { sequence: 0 },
        headers,
        waitsForRoom: false,
      });
      if (!duplicate) {
        deps.book.expect(planId, sequence);
        deps.log.debug({ planId, traceId: data.trace.traceId }, "goal accepted");
        return { planId, traceId: data.trace.traceId };
      }
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
    const stored = await readSubmitted(deps.bus, planId);
    if (stored === undefined) throw new Error(`${subject} is taken, but holds no submission`);
    return sameAsBefore(planId, stored, data.bodyHash);
  });
}

function sameAsBefore(planId: PlanId, stored: Submitted, hash: string): Accepted {
  if (stored.bodyHash === hash) return { planId, traceId: stored.trace.traceId };
  throw new Problem(
    "idempotency_key_reused",
    "this Idempotency-Key was used before, with another body: use a new key, or send the same body",
  );
}

/** What is known of a submission, also when its plan has been archived. */
async function readSubmitted(bus: Bus, planId: PlanId): Promise<Submitted | undefined> {
  const last_by_subj = submissionSubject(planId);
  const message = await bus.manager.direct.getMessage(STREAMS.plans, { last_by_subj });
  return message === null ? undefined : SubmissionOrTombstone.parse(message.json()).data;
}

function goalSubmitted(
  {
    planId,
    tenant,
    hash,
    trace,
    at,
  }: { planId: PlanId; tenant: string; hash: string; trace: PlanTrace; at: Date },
  { submission, plan, budget, grants }: CheckedSubmission,
): GoalSubmitted {
  const { goal, strategy, constraints, tools, data: sources } = submission;
  const { approval, startAt, maxReplans, replanOnFailure, facts, metadata, search } = submission;
  return {
    id: `${planId}/goal.submitted`,
    type: "goal.submitted",
    planId,
    at: at.toISOString(),
    data: {
      goal,
      tenant,
      strategy,
      grants,
      constraints,
      approval,
      maxReplans,
      facts,
      metadata,
      bodyHash: hash,
      trace,
      ...(replanOnFailure ? { replanOnFailure } : {}),
      ...(plan === undefined ? {} : { plan }),
      ...(budget === undefined ? {} : { budget }),
      ...(search === undefined ? {} : { search }),
      ...(tools === undefined ? {} : { tools }),
      ...(sources === undefined ? {} : { sources }),
      ...(startAt === undefined ? {} : { startAt: new Date(startAt).toISOString() }),
    },
  };
}
