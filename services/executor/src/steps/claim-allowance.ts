/** Each allowance is spent by one worker, once: the first to claim it. */
import { type StepWork, wholeOf } from "@planwright/plan";
import type { WorkContext } from "@planwright/shared/queue";
import { randomUUID } from "node:crypto";
import { type Outcome, reportStart } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";

/** Whether the attempt's model calls draw on a budget. */
export function hasAllowance({ allowance }: StepWork): boolean {
  const { tokens, usd } = wholeOf(allowance ?? {});
  return tokens > 0 || usd > 0;
}

/**
 * Claims the attempt's allowance, by being the first to say in the log that the attempt has begun.
 *
 * @returns The attempt's outcome when another worker had begun before: what that one used will not be counted, so
 *   the whole allowance is forfeited, and the next attempt gets its own.
 */
export async function claimAllowance(
  deps: StepDeps,
  work: StepWork,
  context: Pick<WorkContext, "deliveries" | "sequence">,
): Promise<Outcome | undefined> {
  if (!hasAllowance(work)) return undefined;
  // What has an effect has said that it began already. A step that runs at most once never has an allowance.
  if (work.effect !== "read") return context.deliveries > 1 ? forfeited(work) : undefined;
  const started = await reportStart(deps, work, { context, claim: randomUUID() });
  return started === "lost" ? forfeited(work) : undefined;
}

function forfeited({ allowance = {} }: StepWork): Outcome {
  const message = "an earlier worker ended during this attempt, and its usage was not counted";
  const error = { code: "allowance_forfeited", message };
  return { kind: "failed", error, retryable: true, forfeited: wholeOf(allowance) };
}
