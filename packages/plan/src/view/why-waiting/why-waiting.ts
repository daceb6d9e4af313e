import { formatCount, formatElapsed, formatNumber, formatUsd } from "../../values/amounts.ts";
import { dependenciesOf } from "../../language/dependencies.ts";
import type { ModelTries } from "../../events/model-events.ts";
import { LIMITS } from "../../values/limits.ts";
import { PLAN_RUN } from "../../language/tool-names.ts";
import type { PlanView } from "../plan-view.ts";
import { poolOf } from "../../language/pool-of.ts";
import { attemptsMaxOf } from "../../machine/step/attempts.ts";
import type { StepView } from "../step-view.ts";
import { whyItemsWait } from "./why-items-wait.ts";
import { listed, quoted, span, when } from "./words.ts";

/**
 * Why a step waits, in plain words: a phrase without a full stop, such as "waits for s1 (running for 12 s)".
 *
 * It is limited to the contents of the view: the length of a pool's queue, for example, is only known to the pool.
 *
 * @param nowMs - Milliseconds since the epoch; default: when the view was created.
 * @returns Undefined for a step that is running or settled: it waits for nothing.
 */
export function whyWaiting(view: PlanView, step: StepView, nowMs: number = madeMs(view)): string | undefined {
  switch (step.status) {
    case "waiting":
      return whyNotReady(view, step, nowMs);
    case "awaiting-approval":
      return whyAsked(view, step, nowMs);
    case "reviewing":
      return whyTriedAgain(step.modelTries, nowMs) ?? whyReviewed(view, step, nowMs);
    case "queued":
    case "running":
      return whyNotAtWork(view, step, nowMs);
    case "succeeded":
    case "failed":
    case "skipped":
    case "cancelled":
      return undefined;
    default:
      step.status satisfies never;
      return undefined;
  }
}

/** When a view was created, in milliseconds since the epoch; for an ended plan, when it last changed. */
export function madeMs({ viewedAt, updatedAt }: Pick<PlanView, "viewedAt" | "updatedAt">): number {
  return Date.parse(viewedAt ?? updatedAt);
}

function whyNotReady(view: PlanView, step: StepView, nowMs: number): string {
  switch (step.waitingFor) {
    case "dependencies":
    // An event has just introduced the step, and the view has not been reloaded yet.
    case undefined:
      return whyNeeds(view, step, nowMs);
    case "primary":
      return whyStandsBy(view, step, nowMs);
    case "condition":
      return "its condition is about to be evaluated";
    case "items":
      return "its list is about to be read";
    case "draft":
      return whyHeld(view, step);
    case "approval":
      return "held until the plan is approved";
    case "capacity":
      return `waits for capacity: the plan has ${formatCount(LIMITS.inFlightMax, "step")} in flight, the maximum`;
    case "retry":
      return whyRetried(step, nowMs);
    case "budget":
      return whyWithoutBudget(view);
    case "start":
      return view.startsAt === undefined
        ? "the plan has not started"
        : `the plan starts ${when(view.startsAt, nowMs)}`;
    case "resume":
      return whyPaused(view, nowMs);
    default:
      step.waitingFor satisfies never;
      return "waits";
  }
}

function whyNeeds(view: PlanView, step: StepView, nowMs: number): string {
  const known = stepsById(view.steps);
  const open = dependenciesOf(step).flatMap((id) => {
    const needed = known.get(id);
    const pending = needed === undefined ? undefined : pendingOf(needed, known);
    return pending === undefined ? [] : [`${pending.id} (${doing(view, pending, nowMs)})`];
  });
  return open.length === 0 ? "about to start" : `waits for ${listed([...new Set(open)])}`;
}

/** A list of steps is immutable, and each of its steps may be looked up every second. */
const byId = new WeakMap<readonly StepView[], ReadonlyMap<string, StepView>>();

function stepsById(steps: readonly StepView[]): ReadonlyMap<string, StepView> {
  const known = byId.get(steps) ?? new Map(steps.map((step) => [step.id, step]));
  byId.set(steps, known);
  return known;
}

/** The step whose end is awaited: for a failed one, its fallback. */
function pendingOf(step: StepView, known: ReadonlyMap<string, StepView>): StepView | undefined {
  let current: StepView | undefined = step;
  for (let hops = 0; current !== undefined && hops <= LIMITS.fallbacksMax; hops++) {
    if (!SETTLED.has(current.status)) return current;
    const hasFailed: boolean = current.status === "failed" || current.status === "skipped";
    if (!hasFailed || current.fallback === undefined || current.replacedBy !== undefined) return undefined;
    current = known.get(current.fallback);
  }
  return undefined;
}

const SETTLED: ReadonlySet<StepView["status"]> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

/** The state of a step that others wait for, in a few words. Its own dependencies are only named, not followed. */
export function doing(view: PlanView, step: StepView, nowMs: number): string {
  if (step.status === "queued" || step.status === "running") {
    const why = whyNotAtWork(view, step, nowMs);
    return why ?? `running for ${sinceStart(step, nowMs)}`;
  }
  if (step.status === "awaiting-approval") return "needs your decision";
  if (step.status === "reviewing") return "being reviewed";
  if (step.waitingFor === "dependencies" || step.waitingFor === undefined) {
    const needs = dependenciesOf(step).filter((id) => {
      const needed = view.steps.find((other) => other.id === id);
      return needed !== undefined && !SETTLED.has(needed.status);
    });
    return needs.length === 0 ? "about to start" : `waits for ${listed(needs, 2)}`;
  }
  return whyNotReady(view, step, nowMs);
}

function sinceStart({ startedAt }: StepView, nowMs: number): string {
  return formatElapsed(startedAt === undefined ? 0 : nowMs - Date.parse(startedAt));
}

function whyStandsBy(view: PlanView, step: StepView, nowMs: number): string {
  const primary = view.steps.find((other) => other.fallback === step.id);
  if (primary === undefined) return "runs only if the step it is a fallback for fails";
  return `runs only if ${primary.id} fails (${doing(view, primary, nowMs)})`;
}

function whyHeld({ draft }: PlanView, step: StepView): string {
  if (draft.phase === "reviewing") return "held until the draft has been reviewed";
  // Steps that are already planned are held while the rest of the plan is rewritten.
  const isRevised = step.draft < draft.number;
  return isRevised ? "held until the plan has been revised" : "held until the draft is complete";
}

function whyRetried(step: StepView, nowMs: number): string {
  const { failedAttempts, attempt, reviews = [], grant } = step;
  const last = failedAttempts.at(-1);
  const rejected = reviews.filter(({ verdict }) => verdict === "rejected").length;
  const most = Math.max(attempt, attemptsMaxOf(step, grant) + rejected);
  if (last === undefined) return "will be retried";
  const times = `attempt ${Math.max(attempt, last.attempt + 1)} of ${Math.max(most, last.attempt + 1)}`;
  return `will be retried ${when(last.retryAt, nowMs)} (${times}), after: ${quoted(last.error.message)}`;
}

export function whyWithoutBudget({ budget }: PlanView): string {
  const { exhausted } = budget ?? {};
  if (budget === undefined || exhausted === undefined) return "waits for its share of the plan's budget";
  const used = budget.used[exhausted] ?? 0;
  const limit = budget.limit[exhausted] ?? 0;
  const amount = (value: number): string => (exhausted === "usd" ? formatUsd(value) : formatNumber(value));
  return `the plan's budget of ${NAMES[exhausted]} is used up (${amount(used)} of ${amount(limit)})`;
}

const NAMES = { tokens: "tokens", usd: "US dollars", seconds: "seconds", steps: "attempts" } as const;

/** The progress of a model call whose server does not respond; undefined while nothing is wrong. */
export function whyTriedAgain(tries: ModelTries | undefined, nowMs: number): string | undefined {
  if (tries === undefined) return undefined;
  const { message, calls, callsMax, loading, silent, retryAt } = tries;
  if (loading === true) return quoted(message);
  // After the deadline, either a reply or the next report has arrived.
  if (silent === true) {
    return Date.parse(retryAt) > nowMs
      ? `${quoted(message)}, attempt ${calls + 1} of ${callsMax}`
      : undefined;
  }
  if (Date.parse(retryAt) > nowMs) return `${quoted(message)}, attempt ${calls} of ${callsMax}`;
  return `attempt ${calls + 1} of ${callsMax} is in progress, after: ${quoted(message)}`;
}

export function whyPaused({ pause, updatedAt }: PlanView, nowMs = Date.parse(updatedAt)): string {
  if (pause === undefined) return "the plan is paused";
  const why = quoted(pause.reason);
  if (pause.until !== undefined) return `paused, and resumes ${when(pause.until, nowMs)}: ${why}`;
  return `paused by ${quoted(pause.by, 60)}${why === "" ? "" : `: ${why}`}`;
}

function whyAsked(view: PlanView, step: StepView, nowMs: number): string {
  const asked = view.approvals.find(
    ({ status, stepId, undo }) => status === "pending" && stepId === step.id && undo !== true,
  );
  return asked === undefined ? "needs your decision" : whyDecided(asked, nowMs);
}

export function whyDecided(
  { kind, question, tool, risk, expiresAt }: PlanView["approvals"][number],
  nowMs: number,
): string {
  const until =
    Date.parse(expiresAt) > nowMs ? `; rejected automatically in ${span(Date.parse(expiresAt) - nowMs)}` : "";
  switch (kind) {
    case "tool-risk":
      return `needs your approval: ${tool ?? "its tool"} is ${risk ?? "high"}-risk${until}`;
    case "confidence":
      return `needs your approval: the planner is not confident in it${until}`;
    case "question":
      return `waits for your answer: ${quoted(question)}${until}`;
    case "outcome-unknown":
      return `it is unknown whether it took effect, and you decide: ${quoted(question)}${until}`;
    case "plan":
      return `needs your approval of the plan${until}`;
    case "budget":
      return `needs your decision about its budget: ${quoted(question).replace(/\.$/, "")}${until}`;
    default:
      kind satisfies never;
      return "needs your decision";
  }
}

function whyReviewed(view: PlanView, { verifiedBy = [], fallback }: StepView, nowMs: number): string {
  const open = view.steps.filter(({ id, status }) => verifiedBy.includes(id) && !SETTLED.has(status));
  if (open.length > 0) {
    const named = open.map((step) => `${step.id} (${doing(view, step, nowMs)})`);
    return `finished, and waits to be verified by ${listed(named)}`;
  }
  if (fallback !== undefined && view.draft.phase !== "sealed")
    return "finished, and waits for the draft to be complete";
  return "finished, and its output is being reviewed";
}

/** For a step that was sent, or that others work on. */
function whyNotAtWork(view: PlanView, step: StepView, nowMs: number): string | undefined {
  if (step.items !== undefined) return whyItemsWait(step.items, nowMs);
  const tried = whyTriedAgain(step.modelTries, nowMs);
  if (tried !== undefined) return tried;
  if (step.tool === PLAN_RUN) {
    return step.child === undefined
      ? "about to start as a sub-plan"
      : `its sub-plan has been running for ${sinceStart(step, nowMs)}`;
  }
  if (step.status === "running") return undefined;
  if (isHeldByPause(view, step)) return whyPaused(view);
  const pool = poolOfView(step);
  const others = view.steps.filter(
    (other) => waitsForWorker(view, other) && poolOfView(other) === pool,
  ).length;
  const many = others > 1 ? `; ${formatCount(others, "step")} of this plan are waiting for one` : "";
  return `waits for a free worker in pool ${pool}${many}`;
}

/** Sent, and only waiting for a free worker. */
export function waitsForWorker(view: Pick<PlanView, "pause">, step: StepView): boolean {
  const { status, items, tool } = step;
  return status === "queued" && items === undefined && tool !== PLAN_RUN && !isHeldByPause(view, step);
}

/** A worker does not start it while the plan is paused; only reads can still start. */
function isHeldByPause({ pause }: Pick<PlanView, "pause">, { grant }: StepView): boolean {
  return pause !== undefined && grant.effect !== "read";
}

export function poolOfView(step: StepView): string {
  return poolOf({ step, grant: step.grant });
}
