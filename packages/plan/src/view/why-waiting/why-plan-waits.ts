import { formatCount } from "../../values/amounts.ts";
import type { PlanView } from "../plan-view.ts";
import {
  madeMs,
  poolOfView,
  waitsForWorker,
  whyDecided,
  whyPaused,
  whyTriedAgain,
  whyWaiting,
  whyWithoutBudget,
} from "./why-waiting.ts";
import { listed, quoted, when } from "./words.ts";

/** Further decisions of people, or steps to be retried, are only counted. */
const NAMED_MAX = 3;

/**
 * The reasons why a plan waits, each a phrase without a full stop; those that people can act on come first.
 *
 * Steps that wait for other steps are not a reason: the plan waits for those others. Empty for a plan that has ended, or that is
 * making progress.
 *
 * @param nowMs - Milliseconds since the epoch; default: when the view was created.
 */
export function whyPlanWaits(view: PlanView, nowMs: number = madeMs(view)): readonly string[] {
  if (view.endedAt !== undefined) return [];
  return [
    ...whyHalted(view, nowMs),
    ...whyAsked(view, nowMs),
    ...(view.status === "paused" ? [] : whyModelTried(view, nowMs)),
    ...whyAtWork(view),
    ...whyStepsWait(view, nowMs),
  ];
}

function whyHalted(view: PlanView, nowMs: number): string[] {
  if (view.status === "paused") return [whyPaused(view, nowMs)];
  if (view.status !== "scheduled") return [];
  return [view.startsAt === undefined ? "has not started" : `starts ${when(view.startsAt, nowMs)}`];
}

function whyAsked(view: PlanView, nowMs: number): string[] {
  const pending = view.approvals.filter(({ status }) => status === "pending");
  const said = pending.slice(0, NAMED_MAX).map((approval) => {
    const { stepId } = approval;
    return `${stepId === undefined ? "" : `step ${stepId} `}${whyDecided(approval, nowMs)}`;
  });
  const left = pending.length - said.length;
  return left > 0
    ? [...said, `${formatCount(left, "more step")} ${left === 1 ? "needs" : "need"} your decision`]
    : said;
}

/** Unresponsive model servers: for the plan as a whole, and for the first step of each distinct message. */
function whyModelTried(view: PlanView, nowMs: number): string[] {
  const tried = [view.modelTries, ...view.steps.map(({ modelTries }) => modelTries)];
  return [...new Set(tried.flatMap((tries) => whyTriedAgain(tries, nowMs) ?? []))].slice(0, NAMED_MAX);
}

/** Work that is done for the plan as a whole. */
function whyAtWork(view: PlanView): string[] {
  switch (view.status) {
    case "planning":
      return [whyPlanned(view)];
    case "reflecting":
      return ["all steps have finished, and the results are being reviewed"];
    case "compensating": {
      const done = view.compensations.filter(
        ({ status }) => status === "succeeded" || status === "failed",
      ).length;
      return [`its effects are being undone: ${done} of ${formatCount(view.compensations.length, "step")}`];
    }
    case "scheduled":
    case "awaiting-approval":
    case "running":
    case "paused":
    case "succeeded":
    case "partial":
    case "failed":
    case "cancelled":
      return [];
    default:
      view.status satisfies never;
      return [];
  }
}

function whyPlanned({ draft, steps, revision }: PlanView): string {
  const what = revision > 0 || steps.some((step) => step.draft < draft.number) ? "revision" : "draft";
  const planned = steps.filter((step) => step.draft === draft.number).length;
  switch (draft.phase) {
    case "delayed":
      return "the model could not plan it, and will be asked again shortly";
    case "requested":
      return `waits for a planner to write its ${what}`;
    case "reviewing":
      return `its ${what} of ${formatCount(planned, "step")} is being reviewed`;
    default:
      return `its ${what} is being written: ${formatCount(planned, "step")} so far`;
  }
}

function whyStepsWait(view: PlanView, nowMs: number): string[] {
  const { steps } = view;
  const retried = steps.filter(({ status, waitingFor }) => status === "waiting" && waitingFor === "retry");
  const named = retried.slice(0, NAMED_MAX).map((step) => `step ${step.id} ${whyWaiting(view, step, nowMs)}`);
  const more = retried.length - named.length;
  const tries = more > 0 ? [...named, `${formatCount(more, "more step")} will be retried`] : named;
  const isShort =
    steps.some(({ waitingFor }) => waitingFor === "budget") || view.budget?.exhausted !== undefined;
  return [...tries, ...whyQueued(view), ...(isShort ? [whyWithoutBudget(view)] : []), ...whyOthers(view)];
}

/** Grouped by the pool whose workers the steps wait for. */
function whyQueued(view: PlanView): string[] {
  const queued = view.steps.filter((step) => waitsForWorker(view, step));
  const pools = Map.groupBy(queued, poolOfView);
  return [...pools].map(([pool, waiting]) => {
    const ids = waiting.map(({ id }) => id);
    const verb = ids.length === 1 ? "waits" : "wait";
    return `${stepsNamed(ids)} ${verb} for a free worker in pool ${quoted(pool)}`;
  });
}

/** Work that other plans do for it. */
function whyOthers({ steps }: PlanView): string[] {
  const atWork = steps.filter(
    ({ status, child, startedAt }) => status === "running" && child !== undefined && startedAt !== undefined,
  );
  if (atWork.length === 0) return [];
  return [
    `${stepsNamed(atWork.map(({ id }) => id))} ${atWork.length === 1 ? "waits for its sub-plan" : "wait for their sub-plans"}`,
  ];
}

/** `step a`, `steps a and b`: a phrase that can start a sentence and leaves the ids unchanged. */
function stepsNamed(ids: readonly string[]): string {
  return `${ids.length === 1 ? "step" : "steps"} ${listed(ids)}`;
}
