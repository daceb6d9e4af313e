/** Joins: how the synthesis of a plan's results is requested and ends. */
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { AnswerGiven } from "../../events/outcome-events.ts";
import { holderOf, countWork, forfeitReserve } from "../budget/budget-ledger.ts";
import { triesKept, isNewer } from "../model-outage.ts";
import { hintStop } from "../changes.ts";
import type { ModelTries } from "../../events/model-events.ts";

export function requestJoin(next: NextPlan): void {
  next.joining = { ...next.joining, number: next.joining.number + 1, phase: "requested" };
  // A paused plan requests it when it resumes.
}

/** Drops a join whose results are no longer valid. The plan does not wait for it, and its reserve counts as used. */
export function dropJoin(next: NextPlan): void {
  if (next.joining.phase !== "requested") return;
  forfeitReserve(next, holderOf.join(next.joining.number));
  next.joining = { ...next.joining, phase: "none" };
  hintStop(next);
}

/** Records a join's failed tries on its model server. */
export function noteJoinTries(next: NextPlan, join: number, tries: ModelTries): boolean {
  const { number, phase, tries: last } = next.joining;
  if (number !== join || phase !== "requested" || !isNewer(last, tries)) return false;
  next.joining = { ...next.joining, tries };
  return true;
}

/** Whether the plan waits for this join. */
export function isRequested({ joining, conclusion }: KnownPlan, join: number): boolean {
  return joining.phase === "requested" && joining.number === join && conclusion === undefined;
}

export function endJoin(
  next: NextPlan,
  join: number,
  {
    usage,
    forfeited,
    spent,
    cause,
  }: Pick<AnswerGiven["data"], "usage" | "forfeited"> & {
    readonly spent?: string | undefined;
    /** Why it was abandoned; absent if it was not. */
    readonly cause?: string | undefined;
  },
): void {
  next.joining = { number: join, phase: "done", ...triesKept(cause, next.joining.tries) };
  countWork(next, holderOf.join(join), { usage, forfeited, spent });
}
