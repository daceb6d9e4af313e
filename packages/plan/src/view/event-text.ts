/** One line of text for each event of a plan. Has no schemas, so that the dashboard can load it. */
import { formatCount, formatDuration, formatPercent } from "../values/amounts.ts";
import type { PlanEvent } from "../events/plan-event.ts";

/** Describes an event, without its type: `fetch on worker-1, attempt 2`. May contain untrusted text. */
export function eventText(event: PlanEvent): string {
  switch (event.type) {
    case "goal.submitted":
      return event.data.goal;
    case "cancel.requested":
    case "pause.requested":
      return `${event.data.by}: ${event.data.reason}`;
    case "resume.requested":
    case "delete.requested":
      return event.data.by;
    case "draft.started":
    case "step.planned":
    case "plan.sealed":
    case "plan.revised":
      return draftText(event);
    case "draft.abandoned":
    case "join.abandoned":
    case "model.failed":
      return troubleText(event);
    case "step.started":
      return `${nameOf(event.data)} on ${event.data.workerId}${attemptText(event.data.attempt)}`;
    case "step.succeeded":
    case "step.failed":
    case "step.interrupted":
      return endText(event);
    case "step.expanded":
      return `${event.data.stepId}: ${formatCount(event.data.items, "item")}`;
    case "approval.requested":
      return event.data.question;
    case "approval.decided":
      return `${event.data.by}: ${event.data.decision}${event.data.reason === undefined ? "" : `, ${event.data.reason}`}`;
    case "step.skipped":
      return `${event.data.stepIds.join(", ")}: ${event.data.reason}`;
    case "step.asked":
    case "turn.started":
    case "call.started":
    case "turn.taken":
      return loopText(event);
    case "fact.recorded":
      return event.data.fault ?? event.data.facts.map(({ key, value }) => `${key}: ${value}`).join("; ");
    case "answer.given":
    case "answer.drafted":
      return event.data.answer.text;
    case "revision.requested":
    case "log.damaged":
      return event.data.reason;
    case "nodes.valued":
      return event.data.values.map(({ stepId, value }) => `${stepId} ${value}`).join(", ");
    case "step.reviewed":
    case "plan.reviewed":
    case "answer.reviewed":
      return reviewText(event);
    case "feedback.given":
      return `${event.data.by}: ${event.data.rating} of 5${event.data.comment === undefined ? "" : `, ${event.data.comment}`}`;
    case "plan.ended":
      return `${event.data.outcome}: ${event.data.reason}`;
    case "redrive.requested":
      return `${event.data.by}: ${event.data.stepId}${attemptText(event.data.attempt + 1)}`;
    case "timer.fired":
      return timerText(event.data.timer);
    case "unit.closed":
      return `${event.data.unit}: ${event.data.because}`;
    case "plan.archived":
    case "plan.deleted":
      return "";
    default:
      event satisfies never;
      return "";
  }
}

type EndEvent = Extract<PlanEvent, { type: "step.succeeded" | "step.failed" | "step.interrupted" }>;

function endText({ type, data }: EndEvent): string {
  const attempt = attemptText(data.attempt);
  if (type === "step.succeeded") return `${nameOf(data)} in ${formatDuration(data.durationMs)}${attempt}`;
  return `${nameOf(data)}${attempt}: ${type === "step.failed" ? data.error.message : data.message}`;
}

function modelText({ work, tries }: Extract<PlanEvent, { type: "model.failed" }>["data"]): string {
  const { message, calls, callsMax, loading, silent } = tries;
  const of = "stepId" in work ? `${work.stepId}: ` : "";
  return `${of}${message}${loading === true ? "" : `, attempt ${silent === true ? calls + 1 : calls} of ${callsMax}`}`;
}

type TroubleEvent = Extract<PlanEvent, { type: "draft.abandoned" | "join.abandoned" | "model.failed" }>;

function troubleText({ type, data }: TroubleEvent): string {
  if (type === "model.failed") return modelText(data);
  return type === "draft.abandoned" ? `${data.cause}: ${data.message}` : data.message;
}

type DraftEvent = Extract<
  PlanEvent,
  { type: "draft.started" | "step.planned" | "plan.sealed" | "plan.revised" }
>;

function draftText(event: DraftEvent): string {
  switch (event.type) {
    case "draft.started":
      return `draft ${event.data.draft}, ${event.data.strategy}: ${event.data.strategyReason}`;
    case "step.planned":
      return `${event.data.step.id}: ${event.data.step.description || event.data.step.tool}`;
    case "plan.sealed":
      return formatCount(event.data.steps, "step");
    case "plan.revised":
      return `revision ${event.data.revision}: ${event.data.reason}`;
    default:
      event satisfies never;
      return "";
  }
}

type LoopEvent = Extract<PlanEvent, { type: "step.asked" | "turn.started" | "call.started" | "turn.taken" }>;

/** The purpose of each kind of timer, by the first word of its name. */
const TIMERS: Readonly<Record<string, string>> = {
  retry: "a retry is due",
  deadline: "time limits of running steps are checked",
  budget: "a budget's time is over",
  draft: "the next draft is due",
  model: "the model server is tried again",
};

function timerText(timer: string): string {
  const what = TIMERS[timer.split("-", 1)[0] ?? ""];
  return what === undefined ? timer : `${what} (${timer})`;
}

function loopText({ type, data }: LoopEvent): string {
  if (type === "step.asked") {
    const { tool, doubt } = data.call;
    return `${data.stepId}, ${callText(data.call)}: ${doubt === undefined ? `may it call ${tool}?` : `has ${tool} taken effect? ${doubt}`}`;
  }
  if (type === "turn.started") {
    return `${data.stepId}, turn ${data.turn}: ${data.calls.map(({ tool }) => tool ?? "no tool").join(", ")}`;
  }
  const what = type === "call.started" ? data.tool : (data.error?.message ?? data.tool ?? data.thought);
  return `${data.stepId}, ${callText(data)}: ${what}`;
}

/** A turn, and the call if the turn has several. */
function callText({ turn, call }: { turn: number; call?: number | undefined }): string {
  return call === undefined ? `turn ${turn}` : `turn ${turn}, call ${call}`;
}

type ReviewEvent = Extract<PlanEvent, { type: "step.reviewed" | "plan.reviewed" | "answer.reviewed" }>;

/** A step, or its compensation. */
function nameOf({ stepId, undo }: { stepId: string; undo?: true | undefined }): string {
  return undo === true ? `compensating ${stepId}` : stepId;
}

function attemptText(attempt: number): string {
  return attempt > 1 ? `, attempt ${attempt}` : "";
}

function reviewText({ type, data }: ReviewEvent): string {
  if (type !== "step.reviewed") return `draft ${data.draft} ${verdictText(data)}`;
  return `${data.stepId}${attemptText(data.attempt)} ${verdictText(data)}`;
}

function verdictText({
  verdict,
  score,
  issues,
  message,
}: Pick<ReviewEvent["data"], "verdict" | "score" | "issues" | "message">): string {
  const scored = score === undefined ? "" : ` with ${formatPercent(score)}`;
  const why = message ?? issues.join("; ");
  return `${verdict}${scored}${why === "" ? "" : `: ${why}`}`;
}
