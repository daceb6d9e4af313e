/** Subjects of core NATS: messages there are not stored, and losing one loses nothing. */
import type { PlanId } from "@planwright/plan";

/** What is done for a plan may no longer be wanted. */
export function stopSubject(planId: PlanId): string {
  return `hint.stop.${planId}`;
}
export const ALL_STOPS = "hint.stop.*";

/** Workers say that they are there. */
export const WORKER_BEATS = "beat.worker";

/** Planners tell how much work they hold and have sent. */
export const WORK_DEMAND = "beat.demand";

/** Services tell of each model call that has ended. */
export const MODEL_CALLS = "beat.model";

/** Who owns which partition has changed. */
export const LEASE_HINTS = "hint.leases";

/** A planner listens there while it is connected. */
export function aliveSubject(plannerId: string): string {
  return `alive.${plannerId}`;
}

/** Where the servers of a cluster say that a stream, or one of its consumers, has a new leader (NATS advisories). */
export function newLeaderSubject(stream: string, durable?: string): string {
  const of =
    durable === undefined
      ? `STREAM.LEADER_ELECTED.${stream}`
      : `CONSUMER.LEADER_ELECTED.${stream}.${durable}`;
  return `$JS.EVENT.ADVISORY.${of}`;
}
