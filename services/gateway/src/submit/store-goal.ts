/** Writes a plan's first event to the log, for submitted plans and for forks. */
import {
  GoalSubmitted,
  grantedPriority,
  PlanArchived,
  PlanDeleted,
  type PlanId,
  type PlanTrace,
} from "@planwright/plan";
import {
  type Bus,
  appendEvent,
  deletionSubject,
  factSubject,
  lastMessage,
  type Publish,
  submissionSubject,
} from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import {
  childIds,
  type RandomBytes,
  type Span,
  sendSpan,
  type Telemetry,
  withSpan,
} from "@planwright/shared/telemetry";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import type { TenantAndKeyQuotas } from "../quotas/create-quotas.ts";
import type { MaxPriorityFor } from "./read-policy.ts";
import type { Admission } from "./admission.ts";

export type Accepted = { readonly planId: PlanId; readonly traceId: string };

export type StoreGoalDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly book: Pick<PlanBook, "expect">;
  readonly admission: Admission;
  readonly quotas: Pick<TenantAndKeyQuotas, "enter">;
  readonly maxPriorityFor: MaxPriorityFor;
  readonly telemetry: Telemetry;
  readonly log: Logger;
};

const SubmissionOrTombstone = z.union([GoalSubmitted, PlanArchived, PlanDeleted]);
type Submitted = Pick<GoalSubmitted["data"], "bodyHash" | "trace">;

/** The size of a message excluding its body: headers, and room for those that the server adds. */
export const HEADROOM_BYTES = 8 * 1024;

export function traceOf(span: Span, random: RandomBytes): PlanTrace {
  return { ...childIds(span.ids, random), parentSpanId: span.ids.spanId };
}

/**
 * Stores a goal, if there is room for another plan; a repeat of a stored one gets the first response again.
 *
 * @param deps.acceptedBefore - Returns the response to an earlier request with the same id; without one, the refusal is thrown.
 * @throws {Problem} `denied_by_policy` for a priority that is too high, `body_too_large`, `too_many_submissions`,
 * `too_many_open_plans`, `quota_reached`, `idempotency_key_reused`, `plan_deleted`.
 */
export async function storeGoal(
  submitted: GoalSubmitted,
  deps: StoreGoalDeps & {
    readonly span: Span;
    readonly acceptedBefore?: (refusal: unknown) => Promise<Accepted>;
  },
): Promise<Accepted> {
  const event = withPriority(submitted, deps);
  const payload = payloadOf(event, deps);
  using _turn = deps.admission.enter(payload.byteLength);
  const { tenant, submittedBy: identity } = event.data;
  let place: ReturnType<TenantAndKeyQuotas["enter"]>;
  try {
    deps.admission.refuseAboveOpenPlans();
    place = deps.quotas.enter({ tenant, identity });
  } catch (refusal) {
    if (deps.acceptedBefore === undefined) throw refusal;
    return await deps.acceptedBefore(refusal);
  }
  using _place = place;
  const { isNew, ...accepted } = await publishGoal(event, payload, deps);
  if (isNew) place.count();
  return accepted;
}

/** @throws {Problem} `denied_by_policy` when its priority is higher than its key allows. */
function withPriority(
  event: GoalSubmitted,
  { maxPriorityFor }: Pick<StoreGoalDeps, "maxPriorityFor">,
): GoalSubmitted {
  const { tenant, submittedBy: identity, priority: asked } = event.data;
  const highest = maxPriorityFor({ tenant, identity });
  const priority = grantedPriority(asked, highest);
  if (priority === undefined)
    throw new Problem(
      "denied_by_policy",
      `priority: the policy allows ${identity ?? "this installation's"} plans max ${highest}, got ${asked}`,
    );
  const { priority: _asked, ...data } = event.data;
  return { ...event, data: priority === "normal" ? data : { ...data, priority } };
}

function payloadOf(event: GoalSubmitted, deps: Pick<StoreGoalDeps, "bus">): Buffer {
  const payload = Buffer.from(JSON.stringify(event));
  const bytesMax = deps.bus.payloadBytesMax - HEADROOM_BYTES;
  if (payload.byteLength > bytesMax) {
    throw new Problem(
      "body_too_large",
      `the goal and its plan have ${payload.byteLength} bytes; the limit is ${bytesMax}`,
    );
  }
  return payload;
}

async function publishGoal(
  event: GoalSubmitted,
  payload: Buffer,
  { span, ...deps }: StoreGoalDeps & { readonly span: Span },
): Promise<Accepted & { readonly isNew: boolean }> {
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
    const trace = sending.ids;
    const stored = await appendEvent(deps.publish, event, { payload, trace, waitsForRoom: false });
    if (stored.status === "stored") {
      const { sequence } = stored;
      deps.book.expect(planId, { sequence, tenant: data.tenant, identity: data.submittedBy });
      deps.log.debug({ planId, traceId: data.trace.traceId }, "goal accepted");
      return { planId, traceId: data.trace.traceId, isNew: true };
    }
    const first = await readSubmitted(deps.bus, planId);
    if (first === undefined) throw new Error(`${subject} is in use, but contains no submission`);
    return { ...sameAsBefore(planId, first, data.bodyHash), isNew: false };
  });
}

/** @throws {Problem} `idempotency_key_reused` when the earlier request was different. */
export function sameAsBefore(planId: PlanId, stored: Submitted, hash: string): Accepted {
  if (stored.bodyHash === hash) return { planId, traceId: stored.trace.traceId };
  throw new Problem(
    "idempotency_key_reused",
    "this Idempotency-Key was already used with a different body: use a new key, or send the same body",
  );
}

/**
 * The stored data of a submission, even if its plan has been archived.
 *
 * @throws {Problem} `plan_deleted`, whatever the body: there is nothing left to compare it with.
 */
export async function readSubmitted(bus: Bus, planId: PlanId): Promise<Submitted | undefined> {
  const message = await lastMessage(bus, submissionSubject(planId));
  if (message === undefined) return undefined;
  const stored = SubmissionOrTombstone.parse(message.json());
  const isDeleted =
    stored.type === "plan.deleted" || (await lastMessage(bus, deletionSubject(planId))) !== undefined;
  if (!isDeleted) return stored.data;
  throw new Problem(
    "plan_deleted",
    "the plan that was submitted with this Idempotency-Key was deleted: use a new key to run it again",
  );
}
