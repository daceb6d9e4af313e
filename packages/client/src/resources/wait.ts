/** Waits for the end of a plan with long-polling requests. */
import type { PlanView } from "@planwright/api";
import { PlanFailedError, WaitTimeoutError } from "../errors.ts";
import { mayPass, type Transport } from "../http/transport.ts";
import { backoffMs, delay } from "../http/timing.ts";
import { AWAY_MS, checkTimeout, type FollowOptions } from "../options.ts";
import type { EndedPlan } from "./plans.ts";

export type WaitOptions = FollowOptions & {
  /** Maximum time to wait, in milliseconds. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number | undefined;
};

const WAIT_MS = 600_000;
/** Duration of one request, in seconds: proxies end requests that take a minute. */
const POLL_S_MAX = 25;

export async function waitForEnd(
  transport: Transport,
  planId: string,
  { timeoutMs = WAIT_MS, awayMs = AWAY_MS, signal }: WaitOptions = {},
): Promise<EndedPlan> {
  const endMs = performance.now() + checkTimeout(timeoutMs);
  let view: PlanView | undefined;
  let heardMs = performance.now();
  for (let failures = 0; ; ) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) throw new WaitTimeoutError(planId, timeoutMs, view);
    const waitS = Math.min(POLL_S_MAX, Math.ceil(leftMs / 1_000));
    try {
      view = await transport.json("getPlan", {
        params: { planId },
        query: { wait: String(waitS) },
        timeoutMs: transport.settings.timeoutMs + waitS * 1_000,
        maxRetries: 0,
        signal,
      });
      if (view.ended) return answered(view);
      heardMs = performance.now();
      failures = 0;
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error) || performance.now() - heardMs > awayMs) throw error;
      failures += 1;
      await delay(backoffMs(failures, Math.random()), signal);
    }
  }
}

function answered(plan: PlanView): EndedPlan {
  const { answer, outcome } = plan;
  if (answer === undefined || outcome === "failed" || outcome === "cancelled")
    throw new PlanFailedError(plan);
  return { ...plan, answer };
}
