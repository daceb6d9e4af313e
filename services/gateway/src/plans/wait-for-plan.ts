/** Waits until a plan needs its client again, and reports progress meanwhile. */
import { isEnded, isPending, type KnownPlan } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { ownPlan } from "./own-plan.ts";

const PROGRESS_EVERY_MS = 500;

export type WaitOptions = {
  readonly book: Pick<PlanBook, "find" | "watch">;
  readonly tenant: string;
  readonly planId: string;
  readonly timeoutMs: number;
  /** Waits for the end even while the plan needs approval. */
  readonly untilEnd: boolean;
  /** Aborts when the caller stopped waiting. */
  readonly signal: AbortSignal;
  /** Called when waiting begins, and then at most twice a second. */
  readonly onProgress?: (plan: KnownPlan) => void;
};

/**
 * Resolves with the plan when it has ended, needs approval, or the time is up.
 *
 * @throws {Problem} `plan_not_found`, `too_many_watchers`
 */
export async function waitForPlan(options: WaitOptions): Promise<KnownPlan> {
  const { book, timeoutMs, untilEnd, signal, onProgress = () => undefined } = options;
  let plan = await ownPlan(book, options);
  if (needsClient(plan, untilEnd)) return plan;
  const both = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
  // Shows a waiting client immediately that the gateway is listening, and the plan's progress.
  onProgress(plan);
  let toldMs = performance.now();
  try {
    for await (const _facts of book.watch({ planId: plan.planId, after: plan.seq, signal: both })) {
      plan = await ownPlan(book, options);
      if (needsClient(plan, untilEnd)) return plan;
      if (performance.now() - toldMs < PROGRESS_EVERY_MS) continue;
      toldMs = performance.now();
      onProgress(plan);
    }
  } catch (error) {
    if (!both.aborted) throw error;
  }
  return ownPlan(book, options);
}

function needsClient(plan: KnownPlan, untilEnd: boolean): boolean {
  if (isEnded(plan)) return true;
  return !untilEnd && [...plan.approvals.values()].some((approval) => isPending(plan, approval));
}
