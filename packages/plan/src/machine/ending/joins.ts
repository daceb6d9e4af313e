/** Joins: looks at a plan's results as a whole, asked for and over. */
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { AnswerGiven } from "../../events/outcome-events.ts";
import { addUsage } from "../../values/add-usage.ts";
import { holderOf, settleReserve } from "../budget/budget-ledger.ts";
import { triesKept } from "../model-outage.ts";

export function requestJoin(next: NextPlan): void {
  next.joining = { ...next.joining, number: next.joining.number + 1, phase: "requested" };
  // A paused plan requests it when it resumes.
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
    /** Why it was abandoned; absent when it was not. */
    readonly cause?: string | undefined;
  },
): void {
  next.joining = { number: join, phase: "done", ...triesKept(cause, next.joining.tries) };
  if (usage !== undefined) next.usage = addUsage(next.usage, usage);
  settleReserve(next, holderOf.join(join), { usage, forfeited, spent });
}
