/**
 * Readers check the writer: an event is believed only on the subject where its writer may put it.
 *
 * nats-server lets each user publish on certain subjects and looks at no body. The subject of an event follows from its
 * type, plan, step, attempt and pool, so that comparing the two is the whole rule: a worker of one pool can neither decide
 * an approval nor report for another step's pool, whatever it writes. The pool that a step belongs to is in the plan;
 * `evolve` compares it (`comesFromItsPool`).
 *
 * What is refused stays in the log, counts for nothing and gets no `seq`; readers log it and continue.
 */
import type { PlanEvent } from "@planwright/plan";
import { decisionSubject, factSubject, isDecisionSubject, timerSubject } from "./subjects.ts";

/** nats-server sets it on what its scheduler publishes: the subject of the schedule. */
export const SCHEDULER_HEADER = "Nats-Scheduler";

/** What the owner of a plan decides. */
const DECISIONS: ReadonlySet<PlanEvent["type"]> = new Set([
  "answer.given",
  "approval.requested",
  "plan.ended",
  "step.expanded",
  "step.failed",
  "step.skipped",
  "step.started",
] satisfies PlanEvent["type"][]);

/** Headers as the client library hands them over. */
export type ReadHeaders = { get(name: string): string } | undefined;

/** Why the event is not to be believed on this subject; undefined when it is. */
export function refusalOf(event: PlanEvent, subject: string, headers: ReadHeaders): string | undefined {
  const scheduled = headers?.get(SCHEDULER_HEADER) ?? "";
  if (scheduled !== "" && !isOwnTimer(event, scheduled)) return "the scheduler may write only timers";
  if (isDecisionSubject(subject)) {
    if (DECISIONS.has(event.type) && subject === decisionSubject(event)) return undefined;
    return "it is not a decision of this plan's dispatcher";
  }
  return subject === factSubject(event)
    ? undefined
    : "its type, plan, step or pool belongs on another subject";
}

/**
 * Whether the scheduler has put a message where only timers are, or that is none: a client that may write anywhere in the stream
 * can have it do so. What stands there must not pass for the only message of its subject.
 */
export function isStray(subject: string, headers: ReadHeaders): boolean {
  return (headers?.get(SCHEDULER_HEADER) ?? "") !== "" && subject.split(".", 4)[3] !== "t";
}

function isOwnTimer(event: PlanEvent, scheduled: string): boolean {
  return event.type === "timer.fired" && scheduled === timerSubject(event.planId, event.data.timer);
}
