/**
 * Events in the form in which they are read from the log, for tests. Each is parsed, so that no test can use an event that could
 * not have been stored.
 */
import { BARE_GOAL } from "../src/testing/steps.ts";
import type { Command } from "../src/decide/command.ts";
import { decide } from "../src/decide/decide.ts";
import { newlyOwed, type Owed } from "../src/decide/owed.ts";
import { type EventType, PlanEvent } from "../src/events/plan-event.ts";
import { DELIVERIES_EXHAUSTED } from "../src/values/codes.ts";
import { definedOnly } from "../src/values/defined-only.ts";
import { StepId } from "../src/values/ids.ts";
import type { StepWork, UnitWork } from "../src/events/work.ts";
import { GRANTS, READ } from "./grants.ts";
import { evolve } from "../src/machine/evolve.ts";
import { type KnownPlan, noPlan, type Plan, type StepEntry } from "../src/machine/plan-state.ts";

export { GRANTS, LIGHT, LOOP, ONCE, READ, READING, REVISER, SUB_PLAN, WRITE, WRITER } from "./grants.ts";

export const AT = "2026-01-01T00:00:00Z";
export const PLAN_ID = "p1";
export const USAGE = { modelCalls: 1, inputTokens: 10, outputTokens: 2, costUsd: 0.5 };
/** The `after` of a planner that has seen every event before its draft. */
const EVERYTHING = 1_000_000;
/** Default values of fields that tests rarely need, by event type. */
const DEFAULTS: Readonly<Partial<Record<EventType, object>>> = {
  "goal.submitted": BARE_GOAL,
  "draft.started": { seen: EVERYTHING, tools: [] },
  "plan.revised": { cause: "results" },
};

export function fact(type: EventType, data: object, more: object = {}): PlanEvent {
  const filled = { ...DEFAULTS[type], ...definedOnly(data) };
  return PlanEvent.parse({ id: type, type, planId: PLAN_ID, at: AT, data: filled, ...more });
}

/** A goal; with `steps`, a predefined plan. */
export function submitted(steps?: readonly object[], more: object = {}): PlanEvent {
  return fact("goal.submitted", {
    goal: "add up",
    tenant: "local",
    plan: steps === undefined ? undefined : { steps },
    grants: GRANTS,
    ...more,
  });
}

/** A predefined plan that names its answer. */
export function submittedPlan(plan: object, more: object = {}): PlanEvent {
  return submitted(undefined, { plan, ...more });
}

/** A step as users write it: it depends on `dependsOn`, and its default tool is read-only. */
export function step(id: string, dependsOn: readonly string[] = [], more: object = {}): object {
  return { id, tool: "flow.echo", dependsOn, ...more };
}

export function started(stepId: string, attempt = 1, more: object = {}): PlanEvent {
  return fact("step.started", { ...run(stepId, attempt), ...more });
}

export function succeeded(stepId: string, value: unknown = 1, attempt = 1, more: object = {}): PlanEvent {
  return fact("step.succeeded", { ...ended(stepId, attempt), output: { value }, ...more });
}

/** Fails permanently. */
export function failed(stepId: string, attempt = 1, more: object = {}): PlanEvent {
  const error = { code: "e", message: "boom" };
  return fact("step.failed", { ...ended(stepId, attempt), error, retryable: false, ...more });
}

/** Its work message was dead-lettered. */
export function givenUp(stepId: string, attempt = 1, more: object = {}): PlanEvent {
  const error = { code: DELIVERIES_EXHAUSTED, message: "delivered 5 times" };
  return failed(stepId, attempt, { error, ...more });
}

/** Fails with a retryable error. */
export function faltered(stepId: string, attempt = 1, more: object = {}): PlanEvent {
  return failed(stepId, attempt, { retryable: true, ...more });
}

/** An event of a step that runs a loop. */
export function loopFact(
  type: "step.asked" | "turn.started" | "call.started" | "turn.taken",
  { stepId, item, attempt }: Pick<StepWork, "stepId" | "item" | "attempt">,
  more: object,
): PlanEvent {
  return fact(type, { ...run(stepId, attempt), item, ...more });
}

/** The attempt ended without an outcome, and it is unknown whether it took effect. */
export function interrupted(stepId: string, attempt = 1, more: object = {}): PlanEvent {
  return fact("step.interrupted", { ...run(stepId, attempt), message: "its worker died", ...more });
}

/** The output was reviewed and accepted. */
export function reviewed(stepId: string, more: object = {}): PlanEvent {
  const run = { stepId, item: 0, attempt: 1, review: 1 };
  return fact("step.reviewed", { ...run, verdict: "accepted", usage: USAGE, ...more });
}

/** The draft was reviewed before it ran, and accepted. */
export function planReviewed(more: object = {}): PlanEvent {
  return fact("plan.reviewed", { draft: 1, review: 1, verdict: "accepted", usage: USAGE, ...more });
}

/** An answer was written and awaits its review. */
export function answerDrafted(join: number, more: object = {}): PlanEvent {
  const { text = "42", ...spent } = more as { text?: string };
  return fact("answer.drafted", { join, answer: answerOf(text, {}), usage: USAGE, ...spent });
}

/** A draft of the answer was reviewed and accepted. */
export function answerReviewed(more: object = {}): PlanEvent {
  return fact("answer.reviewed", { draft: 1, review: 1, verdict: "accepted", usage: USAGE, ...more });
}

/** The approval request that `decide` would make for a step that awaits one. */
export function approvalRequested(plan: KnownPlan, stepId: string, item?: number): PlanEvent {
  const name = { stepId: StepId.parse(stepId), ...(item === undefined ? {} : { item }) };
  const [command] = decide(plan, [{ kind: "approval", ...name }]);
  if (command?.kind !== "record") throw new Error(`${stepId} awaits no approval`);
  return PlanEvent.parse({ ...command.event, at: AT });
}

export function approvalDecided(approvalId: string, decision: string, more: object = {}): PlanEvent {
  return fact("approval.decided", { approvalId, decision, by: "ann", ...more });
}

export function skipped(stepIds: readonly string[], because: string): PlanEvent {
  return fact("step.skipped", { stepIds, because, reason: `needs ${because}, which did not succeed` });
}

/** Steps are skipped because they are no longer needed. */
export function passedOver(stepIds: readonly string[], because: string): PlanEvent {
  return fact("step.skipped", { stepIds, because, reason: "did not have to run", passedOver: true });
}

/** A step's list becomes known. */
export function expanded(stepId: string, items: number): PlanEvent {
  return fact("step.expanded", { stepId, items });
}

export function draftStarted(draft = 1, strategy = "parallel"): PlanEvent {
  return fact("draft.started", { draft, strategy, strategyReason: "r", workerId: "w1" });
}

export function planned(
  planStep: object,
  {
    draft = 1,
    index = 0,
    grant = READ,
    compensateGrant,
  }: { draft?: number; index?: number; grant?: object; compensateGrant?: object | undefined } = {},
): PlanEvent {
  return fact("step.planned", { draft, index, step: planStep, grant, compensateGrant });
}

export function sealed(draft = 1, more: object = {}): PlanEvent {
  return fact("plan.sealed", { draft, steps: 0, usage: USAGE, ...more });
}

export function revised(draft: number, more: object = {}): PlanEvent {
  const lists = { kept: [], dropped: [], added: [] };
  const data = { draft, revision: 1, reason: "r", ...lists, usage: USAGE, ...more };
  return fact("plan.revised", data);
}

export function abandoned(draft = 1, more: object = {}): PlanEvent {
  const data = {
    draft,
    cause: "invalid",
    message: "no such tool",
    issues: [],
    retryable: true,
    usage: USAGE,
  };
  return fact("draft.abandoned", { ...data, ...more });
}

export function answerGiven(join: number | undefined, more: object = {}, spent: object = {}): PlanEvent {
  return fact("answer.given", { join, answer: answerOf("42", more), usage: USAGE, ...spent });
}

export function revisionRequested(join: number, more: object = {}, spent: object = {}): PlanEvent {
  const answer = answerOf("so far", { status: "partial", ...more });
  return fact("revision.requested", { join, reason: "more is needed", answer, usage: USAGE, ...spent });
}

/** The values of a tree search's actions, by step; 1 or more means that the goal is reached. */
export function nodesValued(join: number, values: Record<string, number>, spent: object = {}): PlanEvent {
  const list = Object.entries(values).map(([stepId, value]) => {
    return { stepId, value: Math.min(1, value), solved: value >= 1, reason: `worth ${value}` };
  });
  return fact("nodes.valued", { join, values: list, usage: USAGE, ...spent });
}

export function joinAbandoned(join: number, more: object = {}): PlanEvent {
  return fact("join.abandoned", { join, cause: "interrupted", message: "lost", usage: USAGE, ...more });
}

/** A model call of a piece of work failed, and will be retried. */
export function modelFailed(work: object, tries: object = {}): PlanEvent {
  const message = "the model server does not answer: connection refused";
  const counted = { report: 1, calls: 1, callsMax: 8, since: AT, message, retryAt: AT };
  return fact("model.failed", { work, tries: { ...counted, ...tries } });
}

/** The facts extracted from a step's output. */
export function factRecorded(stepId: string, facts: readonly object[], more: object = {}): PlanEvent {
  return fact("fact.recorded", { stepId, item: 0, attempt: 1, facts, usage: USAGE, ...more });
}

export function cancelRequested(reason = "not needed"): PlanEvent {
  return fact("cancel.requested", { reason, by: "someone" });
}

export function pauseRequested(pause = 1, reason = "let me look"): PlanEvent {
  return fact("pause.requested", { pause, reason, by: "someone" });
}

export function resumeRequested(pause = 1): PlanEvent {
  return fact("resume.requested", { pause, by: "someone" });
}

export function timerFired(timer: string): PlanEvent {
  return fact("timer.fired", { timer });
}

/** A deadline that was set for these starts has passed. */
export function deadlineFired(round = 1, starts: readonly number[] = [1]): PlanEvent {
  return fact("timer.fired", { timer: `deadline-${round}`, deadline: { round, starts } });
}

export function redriveRequested(stepId: string, attempt = 1, item = 0): PlanEvent {
  return fact("redrive.requested", { stepId, item, attempt, by: "someone" });
}

export function logDamaged(reason = "a fact is gone"): PlanEvent {
  return fact("log.damaged", { reason, by: "planner" });
}

export function planEnded(outcome = "succeeded"): PlanEvent {
  return fact("plan.ended", { outcome, reason: "done" });
}

/** The plan after these events. */
export function after(...events: readonly PlanEvent[]): KnownPlan {
  return known(events.reduce<Plan>(fold, noPlan));
}

/** Events in the form in which another process reads them from the log. */
export function asStored(events: readonly PlanEvent[]): PlanEvent[] {
  return events.map((event) => PlanEvent.parse(JSON.parse(JSON.stringify(event))));
}

/** The plan after one more event. */
export function andAfter(plan: KnownPlan, ...events: readonly PlanEvent[]): KnownPlan {
  return known(events.reduce<Plan>(fold, plan));
}

/** For each plan that was built here, the plan before its last event. */
const BEFORE = new WeakMap<KnownPlan, Plan>();

function fold(before: Plan, event: PlanEvent): Plan {
  const plan = evolve(before, event);
  if (plan !== before && plan.status !== "absent") BEFORE.set(plan, before);
  return plan;
}

/** What is owed because of the last event of a plan that was built here. */
export function newlyOwedTo(plan: KnownPlan): Owed[] {
  const before = BEFORE.get(plan);
  if (before === undefined) throw new Error("the plan was not built by `after` or `andAfter`");
  return newlyOwed(before, plan);
}

/** The commands that follow from the last event of a plan that was built here. */
export function decideNext(plan: KnownPlan): Command[] {
  return decide(plan, newlyOwedTo(plan));
}

/** The plan after the dispatcher has recorded everything that it owes it. */
export function recorded(plan: KnownPlan): KnownPlan {
  for (;;) {
    const [command] = decide(plan).filter(({ kind }) => kind === "record");
    if (command?.kind !== "record") return plan;
    const { type, data, id } = command.event;
    plan = andAfter(plan, fact(type, data, { id }));
  }
}

/** The commands by kind; for an event to record, its type. */
export function kindsOf(plan: KnownPlan, owed: readonly Owed[] = newlyOwedTo(plan)): string[] {
  return decide(plan, owed).map((command) => (command.kind === "record" ? command.event.type : command.kind));
}

/** The steps to be sent, each alone. */
export function worksOf(plan: KnownPlan): StepWork[] {
  return decideNext(plan).flatMap((command) => (command.kind === "run" ? [command.work] : []));
}

/** The units to be sent. */
export function unitsOf(plan: KnownPlan): UnitWork[] {
  return decideNext(plan).flatMap((command) => (command.kind === "unit" ? [command.work] : []));
}

export function stepOf(plan: KnownPlan, stepId: string): StepEntry {
  const entry = plan.steps.get(StepId.parse(stepId));
  if (entry === undefined) throw new Error(`there is no step ${stepId}`);
  return entry;
}

export function known(plan: Plan): KnownPlan {
  if (plan.status === "absent") throw new Error("the plan is absent");
  return plan;
}

function run(stepId: string, attempt: number): object {
  return { stepId, item: 0, attempt, workerId: "w1" };
}

function ended(stepId: string, attempt: number): object {
  return { ...run(stepId, attempt), startedAt: AT, durationMs: 5 };
}

function answerOf(text: string, more: object): object {
  return { text, status: "success", sources: [], artifacts: [], ...more };
}
