/**
 * Readers check the writer: an event is accepted only on a subject that its writer can publish to.
 *
 * nats-server lets each user publish on certain subjects and ignores message bodies. The subject of an event follows from its
 * type, plan, step, attempt and pool, so comparing the two is the whole rule: a worker of one pool can neither decide
 * an approval nor report for a step of another pool, whatever it writes. The pool of a step is part of the plan;
 * `evolve` compares it (`comesFromItsPool`).
 *
 * A rejected event stays in the log without effect or `seq`; readers log it and continue.
 */
import type { PlanEvent } from "@planwright/plan";
import { decisionSubject, factSubject, isDecisionSubject, timerSubject } from "./subjects.ts";

/** Set by nats-server on messages that its scheduler publishes: the subject of the schedule. */
export const SCHEDULER_HEADER = "Nats-Scheduler";

/** Events that the owner of a plan decides. */
const DECISIONS: ReadonlySet<PlanEvent["type"]> = new Set([
  "answer.given",
  "approval.requested",
  "plan.ended",
  "step.expanded",
  "step.failed",
  "step.skipped",
  "step.started",
] satisfies PlanEvent["type"][]);

/** Headers as provided by the client library. */
export type ReadHeaders = { get(name: string): string } | undefined;

/** The position of an event in its message: `batched` before others, `last` after others. */
export type Place = "alone" | "batched" | "last";

/**
 * Returns why the event is rejected on this subject; undefined when it is accepted.
 *
 * A batch is on the subject of its last event. The others must have the same {@link batchClass}.
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

/** Whether an event whose own subject is `own` can precede one whose own subject is `other` in a batch. */
export function mayStandBefore(own: string, other: string): boolean {
  const shared = classOf(other);
  if (shared === undefined || !own.startsWith(`${shared}.`) || own.endsWith("ended")) return false;
  // All subjects below those of a unit, and below those of decisions, have the same class.
  return (
    other.startsWith(".unit.", shared.length - 5) || isDecisionSubject(other) || batchClass(own) === shared
  );
}

/** The events of a message are checked one after another against the same subject. */
let last: { readonly subject: string; readonly shared: string | undefined } | undefined;

function classOf(subject: string): string | undefined {
  if (last?.subject !== subject) last = { subject, shared: batchClass(subject) };
  return last.shared;
}

/**
 * Returns the class of subjects whose events can share a message: they have one writer, and readers never look for a single one
 * of them by its subject.
 *
 * The classes are the decisions about a plan, the steps and the end of a draft, the outcomes of attempts in a pool, and the
 * events of a unit of work. The start of an attempt is in no class: of steps with effects, only the first one stored acts. The
 * end of a plan or a draft is always last, because readers look for the former and writers expect the absence of the latter.
 *
 * @returns Undefined for subjects whose events are always alone.
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
 * Whether the scheduler has published a message on a subject that is not for timers, or one that is not a timer: a client that
 * can write anywhere in the stream can make it do so. Such a message must not pass for the only message of its subject.
 */
export function isStray(subject: string, headers: ReadHeaders): boolean {
  return (headers?.get(SCHEDULER_HEADER) ?? "") !== "" && subject.split(".", 4)[3] !== "t";
}

function isOwnTimer(event: PlanEvent, scheduled: string): boolean {
  return event.type === "timer.fired" && scheduled === timerSubject(event.planId, event.data.timer);
}
