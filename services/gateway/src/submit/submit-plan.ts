/** Accepts a goal, over HTTP and over the WebSocket alike. */
import {
  EGRESS_DEFAULT,
  goalOf,
  GoalSubmitted,
  type JsonObject,
  PlanId,
  type Provenance,
  canonicalJson,
} from "@planwright/plan";
import type { Bus, Publish } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import type { RandomBytes, Span, Telemetry } from "@planwright/shared/telemetry";
import type { Caller } from "../http/authenticate.ts";
import type { PlanBook } from "../book/plan-book.ts";
import type { MaxPriorityFor } from "./read-policy.ts";
import type { TenantAndKeyQuotas } from "../quotas/create-quotas.ts";
import type { Admission } from "./admission.ts";
import {
  type CheckedSubmission,
  checkSubmission,
  type Offer,
  type SentSubmission,
} from "./check-submission.ts";
import { pastPlansFor } from "../learning/past-plans-for.ts";
import { type Accepted, readSubmitted, sameAsBefore, storeGoal, traceOf } from "./store-goal.ts";
import { createHash } from "node:crypto";

export type SubmitRequest = SentSubmission &
  Caller & {
    readonly idempotencyKey: string | undefined;
    /** The request's own span. */
    readonly span: Span;
    /** The re-run that this submission comes from: the original plan and its edits. */
    readonly rerun?: { readonly of: PlanId; readonly edits: JsonObject };
    /** For a re-run: the provenance of the goal or plan that it repeats. */
    readonly derivedFrom?: Provenance | undefined;
  };

export type SubmitDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly book: Pick<PlanBook, "peek" | "expect" | "pastPlans">;
  /** Whether planners may be shown past plans. */
  readonly learns: boolean;
  /** Whether light steps are fused into work units. */
  readonly fusion: "on" | "off";
  readonly offer: (tenant: string) => Offer;
  readonly admission: Admission;
  readonly quotas: Pick<TenantAndKeyQuotas, "enter">;
  readonly maxPriorityFor: MaxPriorityFor;
  readonly telemetry: Telemetry;
  readonly random: RandomBytes;
  readonly now: () => Date;
  readonly log: Logger;
};

export type SubmitPlan = (request: SubmitRequest) => Promise<Accepted>;

/**
 * Makes the function that accepts plans. It resolves once the log has stored the goal, so that an accepted plan survives any
 * restart; a repeat of a key and body gets the first response again.
 *
 * @throws {Problem} From the returned function: every refusal of `checkSubmission`, of the admission and of the quotas;
 * `idempotency_key_reused`, `body_too_large`.
 */
export function createSubmitPlan(deps: SubmitDeps): SubmitPlan {
  return async (request) => {
    const { tenant, identity, sentBody, idempotencyKey, span, rerun, derivedFrom } = request;
    const { planId, hash } = identify(request, rerun === undefined ? sentBody : { rerun }, deps.random);
    span.setAttributes({ "plan.id": planId, ...(rerun === undefined ? {} : { "plan.rerun.of": rerun.of }) });
    const earlier = idempotencyKey === undefined ? undefined : deps.book.peek(planId)?.goal;
    if (earlier !== undefined) return sameAsBefore(planId, earlier, hash);

    /** An accepted plan stays accepted, whatever has changed since. */
    const acceptedBefore = async (refusal: unknown): Promise<Accepted> => {
      const stored = idempotencyKey === undefined ? undefined : await readSubmitted(deps.bus, planId);
      if (stored === undefined) throw refusal;
      return sameAsBefore(planId, stored, hash);
    };
    let checked: CheckedSubmission;
    try {
      checked = checkSubmission(request, deps.offer(tenant), deps.now());
    } catch (refusal) {
      if (idempotencyKey === undefined) throw refusal;
      using _turn = deps.admission.enter(0);
      return await acceptedBefore(refusal);
    }
    if (checked.mends.length > 0) span.setAttributes({ "plan.mended": checked.mends.join("; ") });
    const trace = traceOf(span, deps.random);
    const pastPlans = pastPlansFor(checked, { ...deps, tenant });
    const { plan, budget, grants, policy } = checked;
    const goal = goalOf(checked.submission, {
      tenant,
      submittedBy: identity,
      plan,
      budget,
      grants,
      policy,
      bodyHash: hash,
      trace,
      derivedFrom,
      egress: policy?.egress ?? EGRESS_DEFAULT,
      fusion: deps.fusion === "off" ? "off" : undefined,
      pastPlans: pastPlans.length === 0 ? undefined : [...pastPlans],
      rerunOf: rerun?.of,
    });
    // Its parts have been checked.
    const event = { ...GoalSubmitted.unstamped(planId, goal), at: deps.now().toISOString() };
    return await storeGoal(event, { ...deps, span, acceptedBefore });
  };
}

const ID_CHARS = 22;
const RANDOM_BYTES = 17;

/** The id of the plan that a tenant submits with this `Idempotency-Key`: always the same, on every replica. */
export function planIdForKey(tenant: string, key: string): PlanId {
  return toPlanId(
    createHash("sha256")
      .update(JSON.stringify([tenant, key]))
      .digest(),
  );
}

/**
 * Returns the id of a new plan, and the hash that distinguishes a repeat of the request from another request with the same key.
 *
 * @param content - The content that must be the same for a request to be a repeat; irrelevant without a key.
 */
export function identify(
  { tenant, idempotencyKey }: { readonly tenant: string; readonly idempotencyKey: string | undefined },
  content: unknown,
  random: RandomBytes,
): { readonly planId: PlanId; readonly hash: string } {
  if (idempotencyKey === undefined) return { planId: randomPlanId(random), hash: "" };
  return { planId: planIdForKey(tenant, idempotencyKey), hash: bodyHash(content) };
}

export function randomPlanId(random: RandomBytes): PlanId {
  return toPlanId(random(RANDOM_BYTES));
}

/** An id must not look like an option on a command line. */
function toPlanId(bytes: Uint8Array): PlanId {
  const text = Buffer.from(bytes).toString("base64url").slice(0, ID_CHARS);
  return PlanId.parse(text.replace(/^[-_]/, "p"));
}

/** SHA-256 of a decoded JSON value, independent of key order and white space. */
export function bodyHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}
