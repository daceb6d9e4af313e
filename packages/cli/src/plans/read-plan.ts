import type { PlanView } from "@planwright/plan";
import type { Client } from "../client/create-client.ts";
import { planPath } from "./plan-path.ts";

/** A plan as it is now. The schemas of plans are loaded with the first one: other commands do not wait for them. */
export async function readPlan(client: Client, planId: string): Promise<PlanView> {
  const { PlanView } = await import("@planwright/plan");
  return client.get(planPath(planId), PlanView);
}
