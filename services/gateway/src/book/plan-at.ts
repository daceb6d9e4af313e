import { evolve, type KnownPlan, noPlan, type Plan } from "@planwright/plan";
import type { LogCursor } from "./log-reader.ts";

/** Replays a plan's events, from the first up to number `seq`; undefined when there are fewer. */
export async function planAt(cursor: LogCursor, seq: number): Promise<KnownPlan | undefined> {
  let plan: Plan = noPlan;
  for (;;) {
    const facts = await cursor.next();
    if (facts === undefined) return undefined;
    for (const fact of facts) {
      plan = evolve(plan, fact.event);
      if (fact.seq === seq) return plan.status === "absent" ? undefined : plan;
    }
  }
}
