/** The subject of each message. A plan's subjects start with its partition, so that an owner reads only its own. */
import {
  callToken,
  type ModelWork,
  type PlanEvent,
  type PlanId,
  type StepId,
  type UnitWork,
  partitionOf,
} from "@planwright/plan";

/** Replaces the step id in workers' events about the whole plan; step ids contain no tilde. */
const WHOLE_PLAN = { draft: "~draft", join: "~join", answer: "~answer" } as const;

/** Everything about one plan. */
export function planSubjects(planId: PlanId): string {
  return `plan.${partitionOf(planId)}.${planId}.>`;
}

/** Returns the partition of a plan's event: `plan.<partition>.<id>.…`. */
export function partitionIn(subject: string): number {
  return Number.parseInt(subject.slice("plan.".length), 10);
}

/** Returns the plan id in a subject of the log, of timers or of the archive; "" when it has none. */
export function planIdIn(subject: string): string {
  return subject.split(".", 3)[2] ?? "";
}

/** Every plan's events, without the schedules in the same stream. */
export const ALL_PLANS = "plan.>";

/** All subjects that the owner of a plan writes to: the subject of its fence. */
export function decisionSubjects(planId: PlanId): string {
  return `plan.${partitionOf(planId)}.${planId}.d.>`;
}

/** Whether a subject is one of {@link decisionSubjects}. */
export function isDecisionSubject(subject: string): boolean {
  // Called for every event that is read, so it does not allocate a list of tokens.
  const id = subject.indexOf(".", subject.indexOf(".") + 1);
  const writer = subject.indexOf(".", id + 1);
  return id > 0 && writer > id && subject.startsWith(".d.", writer);
}

/**
 * Users' requests to pause, resume or cancel a plan. Separate from their other requests, so that only these
 * withdraw a worker's permission to start.
 */
export function flowSubjects(planId: PlanId): string {
  return `plan.${partitionOf(planId)}.${planId}.control.flow.>`;
}

/** Whether a subject is one of {@link flowSubjects}. */
export function isFlowSubject(subject: string): boolean {
  const [, , , writer, kind] = subject.split(".", 5);
  return writer === "control" && kind === "flow";
}

/** A decision of the plan's owner: `plan.3.p1.d.plan-ended`. */
export function decisionSubject(event: Pick<PlanEvent, "planId" | "type">): string {
  const { planId, type } = event;
  return `plan.${partitionOf(planId)}.${planId}.d.${type.replace(".", "-")}`;
}

/**
 * Returns the subject of an event by a worker or the gateway. Mutually exclusive events, such as the
 * outcomes of one attempt, share a subject: only the first one is stored.
 */
export function factSubject(event: PlanEvent): string {
  return `plan.${partitionOf(event.planId)}.${event.planId}.${suffixOf(event)}`;
}

function suffixOf(event: PlanEvent): string {
  switch (event.type) {
    case "goal.submitted":
    case "plan.archived":
    case "plan.deleted":
      return "control.submitted";
    case "delete.requested":
      return "control.delete";
    case "approval.decided":
      return `control.approval.${event.data.approvalId}`;
    case "cancel.requested":
    case "pause.requested":
    case "resume.requested":
    case "log.damaged":
      return `control.flow.${flowSuffix(event)}`;
    case "draft.started":
      return `r.${WHOLE_PLAN.draft}.${event.data.draft}.started`;
    case "step.planned":
      return `r.${WHOLE_PLAN.draft}.${event.data.draft}.step.${event.data.index}`;
    case "plan.sealed":
    case "plan.revised":
    case "draft.abandoned":
      return `r.${WHOLE_PLAN.draft}.${event.data.draft}.ended`;
    case "step.started":
      return `${attemptSuffix(event.data)}.started`;
    case "step.succeeded":
    case "step.failed":
    case "step.asked":
      return `${attemptSuffix(event.data)}.done`;
    case "step.interrupted":
      return `${attemptSuffix(event.data)}.interrupted`;
    case "unit.closed":
      return `${unitPrefix(event.data)}.closed`;
    case "call.started":
      return callSuffix(event.data);
    case "turn.started":
    case "turn.taken":
      return turnSuffix(event);
    case "fact.recorded":
      return `${attemptSuffix(event.data)}.facts`;
    case "step.reviewed":
      return `${attemptSuffix(event.data)}.reviewed.${event.data.review}`;
    case "plan.reviewed":
      return `r.${WHOLE_PLAN.draft}.${event.data.draft}.reviewed.${event.data.review}`;
    case "answer.reviewed":
      return `r.${WHOLE_PLAN.answer}.${event.data.draft}.reviewed.${event.data.review}`;
    case "answer.given":
    case "answer.drafted":
    case "revision.requested":
    case "join.abandoned":
    case "nodes.valued":
      return `r.${WHOLE_PLAN.join}.${event.data.join ?? 0}.done`;
    case "model.failed":
      return `${modelWorkSuffix(event.data.work)}.model.${event.data.tries.report}`;
    case "timer.fired":
      return `t.${event.data.timer}`;
    case "redrive.requested":
      return redriveSuffix(event.data);
    case "feedback.given":
      return `control.feedback.${event.data.number}`;
    case "step.skipped":
    case "step.expanded":
    case "approval.requested":
    case "plan.ended":
      return `d.${event.type.replace(".", "-")}`;
    default:
      event satisfies never;
      return "unknown";
  }
}

type FlowType = "cancel.requested" | "pause.requested" | "resume.requested" | "log.damaged";

function flowSuffix(event: Extract<PlanEvent, { type: FlowType }>): string {
  switch (event.type) {
    case "cancel.requested":
      return "cancelled";
    case "pause.requested":
      return `paused.${event.data.pause}`;
    case "resume.requested":
      return `resumed.${event.data.pause}`;
    case "log.damaged":
      return "damaged";
    default:
      event satisfies never;
      return "unknown";
  }
}

/** Not a control subject: events there make every step that is about to act check its permission again. */
function redriveSuffix({
  stepId,
  item,
  attempt,
}: Extract<PlanEvent, { type: "redrive.requested" }>["data"]): string {
  return `redrive.${stepId}.${item}.${attempt}`;
}

function modelWorkSuffix(work: ModelWork): string {
  switch (work.kind) {
    case "draft":
      return `r.${WHOLE_PLAN.draft}.${work.draft}`;
    case "join":
      return `r.${WHOLE_PLAN.join}.${work.join}`;
    case "critique": {
      const whole = work.of === "plan" ? WHOLE_PLAN.draft : WHOLE_PLAN.answer;
      return `r.${whole}.${work.draft}.review.${work.review}`;
    }
    case "step":
      return attemptSuffix(work);
    case "review":
      return `${attemptSuffix(work)}.review.${work.review}`;
    default:
      work satisfies never;
      return "unknown";
  }
}

/**
 * The subjects of workers' events contain their pool, so that the workers of each pool can be restricted to their own.
 * Without a pool, the event is by the plan's owner or by a worker of an older version.
 */
function writerOf(pool: string | undefined): string {
  return pool === undefined ? "r" : `w.${pool}`;
}

/** A unit's events have their own suffix, so that they do not block the attempt itself. */
function attemptSuffix({ stepId, attempt, unit, pool, ...run }: AttemptRun): string {
  const own = `${stepId}.${itemToken(run)}.${attempt}`;
  return unit === undefined ? `${writerOf(pool)}.${own}` : `${unitPrefix({ unit, pool })}.${own}`;
}

function unitPrefix({ unit, pool }: Pick<AttemptRun, "pool"> & { readonly unit: string }): string {
  return `${writerOf(pool)}.${unit}.unit`;
}

/** All subjects that workers of a unit write to: the subject of its fence. */
export function unitSubjects({ planId, unit, pool }: Pick<UnitWork, "planId" | "unit" | "pool">): string {
  return `plan.${partitionOf(planId)}.${planId}.${unitPrefix({ unit, pool })}.>`;
}

/** The start of a turn with several calls and the only outcome of another turn exclude each other. */
function turnSuffix(event: Extract<PlanEvent, { type: "turn.started" | "turn.taken" }>): string {
  const { stepId, item, turn, pool } = event.data;
  const name = event.type === "turn.taken" ? callToken(event.data) : String(turn);
  return `${writerOf(pool)}.${stepId}.${item}.turn.${name}`;
}

/** With a user's permission, a call can start once more. */
function callSuffix(data: Extract<PlanEvent, { type: "call.started" }>["data"]): string {
  const { stepId, item, leave, pool } = data;
  const first = `${writerOf(pool)}.${stepId}.${item}.call.${callToken(data)}`;
  return leave === undefined ? first : `${first}.${leave}`;
}

/** The end events of all plans, in one partition or in all. */
export function endedSubjects(partition: number | "*"): string {
  return `plan.${partition}.*.d.plan-ended`;
}

type AttemptRun = {
  readonly stepId: string;
  readonly item: number;
  readonly undo?: true | undefined;
  readonly attempt: number;
  readonly unit?: string | undefined;
  readonly pool?: string | undefined;
};

/** Replaces the item in attempts to compensate a step. */
export function itemToken({ item, undo }: Pick<AttemptRun, "item" | "undo">): string {
  return undo === true ? "undo" : String(item);
}

/** Where the server's scheduler keeps a timer until it fires. */
export function timerSubject(planId: PlanId, timer: string): string {
  return `timer.${partitionOf(planId)}.${planId}.${timer}`;
}

/** Where gateways check whether the log accepts writes. Belongs to no plan, and has no readers. */
export const PROBE_SUBJECT = "timer.~.probe.gateway";

/** The timers of one plan that have not fired. */
export function timerSubjects(planId: PlanId): string {
  return `timer.${partitionOf(planId)}.${planId}.>`;
}

/** Where the deletion of a plan is requested: once a message is stored there, readers hide the plan. */
export function deletionSubject(planId: PlanId): string {
  return `plan.${partitionOf(planId)}.${planId}.control.delete`;
}

/** The plans whose deletion was requested and that have not been erased yet. */
export const PENDING_DELETIONS = "plan.*.*.control.delete";

/** The subject of a plan's submission, and of the message that replaces it when the plan is archived or deleted. */
export function submissionSubject(planId: PlanId): string {
  return `plan.${partitionOf(planId)}.${planId}.control.submitted`;
}

/** Where attempts of a step, or of one item of its list, record that they start. */
export function startSubjects(run: {
  readonly planId: PlanId;
  readonly stepId: StepId;
  readonly item: number;
  readonly pool: string;
}): string {
  const { planId, stepId, item, pool } = run;
  return `plan.${partitionOf(planId)}.${planId}.w.${pool}.${stepId}.${item}.*.started`;
}
