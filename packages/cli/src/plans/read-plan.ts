import type { PlanView } from "@planwright/plan";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../client/create-client.ts";
import { AWAY_MS_MAX, mayPass, PAUSE_MS } from "../client/patience.ts";
import { planPath } from "./plan-path.ts";

/** A plan as it is now. The schemas of plans are loaded with the first one: other commands do not wait for them. */
export async function readPlan(client: Client, planId: string): Promise<PlanView> {
  const { PlanView } = await import("@planwright/plan");
  return client.get(planPath(planId), PlanView);
}

/**
 * The same for whoever watches: a gateway that starts again in between is waited for, at most a minute.
 *
 * @throws The signal's reason when it aborts.
 */
export async function readPlanPatiently(
  client: Client,
  planId: string,
  signal: AbortSignal,
): Promise<PlanView> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await readPlan(client, planId);
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPass(error) || performance.now() - startedMs > AWAY_MS_MAX) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
