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

/** Where an event stands in its message: `batched` before others, `last` behind others. */
export type Place = "alone" | "batched" | "last";

/**
 * Why the event is not to be believed on this subject; undefined when it is.
 *
 * A batch stands on the subject of its last event. The others have to be of the same {@link batchClass}.
 *
 * @param place - Default: alone in its message.
 */
export function refusalOf(
  event: PlanEvent,
  subject: string,
  headers: ReadHeaders,
  place: Place = "alone",
): string | undefined {
  const scheduled = headers?.get(SCHEDULER_HEADER) ?? "";
  if (scheduled !== "" && !isOwnTimer(event, scheduled)) return "the scheduler may write only timers";
  const isDecision = isDecisionSubject(subject);
  if (isDecision && !DECISIONS.has(event.type)) return "it is not a decision of a dispatcher";
  const own = isDecision ? decisionSubject(event) : factSubject(event);
  if (place === "batched") return mayStandBefore(own, subject) ? undefined : "it belongs in no such batch";
  if (own !== subject) return "its type, plan, step or pool belongs on another subject";
  if (place === "last" && classOf(subject) === undefined) return "it is never part of a batch";
  return undefined;
}

/** Whether an event that would be alone on `own` may stand in a batch before one that would be alone on `other`. */
export function mayStandBefore(own: string, other: string): boolean {
  const shared = classOf(other);
  if (shared === undefined || !own.startsWith(`${shared}.`) || own.endsWith("ended")) return false;
  // Everything below the subjects of a unit, and below those of decisions, is of their class.
  return (
    other.startsWith(".unit.", shared.length - 5) || isDecisionSubject(other) || batchClass(own) === shared
  );
}

/** The events of a message are checked one after the other against the same subject. */
let last: { readonly subject: string; readonly shared: string | undefined } | undefined;

function classOf(subject: string): string | undefined {
  if (last?.subject !== subject) last = { subject, shared: batchClass(subject) };
  return last.shared;
}

/**
 * The subjects whose events may share a message: they have one writer, and no reader looks for one of them by its subject.
 *
 * These are the decisions about a plan, the steps and the end of a draft, the outcomes of attempts in a pool, and the events of
 * a unit of work. The start of an attempt is none of them: of steps that change something, only the first one there acts. The end of a
 * plan or a draft is always last, because readers look for the one, and writers expect that the other is not there.
 *
 * @returns Undefined for subjects whose events always stand alone.
 */
function batchClass(subject: string): string | undefined {
  const tokens = subject.split(".");
  const [, , , writer, whole, , kind = "", attempt = ""] = tokens;
  if (writer === "d") return tokens.slice(0, 4).join(".");
  if (writer === "r" && whole === "~draft") {
    return kind === "step" || kind === "ended" ? tokens.slice(0, 6).join(".") : undefined;
  }
  if (writer !== "w") return undefined;
  if (kind === "unit") return tokens.slice(0, 7).join(".");
  const isOutcome = /^\d+$/.test(attempt) && tokens.at(-1) === "done";
  return isOutcome ? tokens.slice(0, 5).join(".") : undefined;
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
