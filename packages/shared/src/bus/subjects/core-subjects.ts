/** Subjects of core NATS: their messages are not stored, and losing one does no harm. */
import type { PlanId } from "@planwright/plan";

/** Work for a plan may no longer be needed. */
export function stopSubject(planId: PlanId): string {
  return `hint.stop.${planId}`;
}
export const ALL_STOPS = "hint.stop.*";

/** Heartbeats of workers. */
export const WORKER_BEATS = "beat.worker";

/** Planners report how much work they hold and have sent. */
export const WORK_DEMAND = "beat.demand";

/** Services report each model call that has ended. */
export const MODEL_CALLS = "beat.model";

/** The owner of a partition has changed. */
export const LEASE_HINTS = "hint.leases";

/** A planner listens here while it is connected. */
export function aliveSubject(plannerId: string): string {
  return `alive.${plannerId}`;
}

/** Where the servers of a cluster announce that a stream, or one of its consumers, has a new leader (NATS advisories). */
export function newLeaderSubject(stream: string, durable?: string): string {
  const of =
    durable === undefined
      ? `STREAM.LEADER_ELECTED.${stream}`
      : `CONSUMER.LEADER_ELECTED.${stream}.${durable}`;
  return `$JS.EVENT.ADVISORY.${of}`;
}
