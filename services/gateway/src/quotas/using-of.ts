import type { PlanId } from "@planwright/plan";
import type { ExpectedPlan } from "../book/follow-plans.ts";
import type { HotPlans } from "../book/hot-plans.ts";
import type { Projection } from "../book/projection.ts";
import { ownersOf } from "./owner.ts";
import type { SpentDays } from "./spent-days.ts";

/** The current use of an owner's quotas. */
export function usingOf(
  { spending }: Pick<Projection, "spending">,
  {
    hot,
    expected,
  }: { readonly hot: Pick<HotPlans, "openOf">; readonly expected: ReadonlyMap<PlanId, ExpectedPlan> },
): {
  readonly spentBy: SpentDays["of"];
  openPlansOf(owner: string): number;
} {
  return {
    spentBy: (owner, now) => spending.of(owner, now),
    openPlansOf(owner) {
      const theirs = expected.values().filter((plan) => ownersOf(plan).includes(owner));
      return hot.openOf(owner) + theirs.toArray().length;
    },
  };
}
