/** Deleting a plan: the gateway requests it in the plan's log, a planner erases the stored data. */
import { DeleteRequested, isEnded, type KnownPlan, PlanId } from "@planwright/plan";
import { readTombstone } from "@planwright/shared/archive";
import { type Bus, deletionSubject, lastMessage } from "@planwright/shared/bus";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import { planNotFound } from "./own-plan.ts";
import { type StoreDeps, storeRequest } from "./store-request.ts";

/** How long the response waits for the planner. */
const ERASED_WITHIN_MS = 10_000;

export type DeletePlanDeps = Omit<StoreDeps, "book"> & {
  readonly book: Pick<PlanBook, "find" | "reached" | "untilErased" | "openSubPlan">;
  readonly now: () => Date;
  /** Default 10,000. */
  readonly erasedWithinMs?: number;
};

/** `erased`: no data of the plan is stored any more. `pending`: no reader sees it, and a planner will erase it. */
export type Deletion = { readonly planId: PlanId; readonly state: "erased" | "pending" };

export type DeletePlan = (request: { readonly tenant: string; readonly planId: string }) => Promise<Deletion>;

/**
 * Makes the function that deletes ended plans, with their sub-plans. Deleting again succeeds.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `plan_not_ended`, `plan_is_sub_plan`.
 */
export function createDeletePlan(deps: DeletePlanDeps): DeletePlan {
  const { book, now, erasedWithinMs = ERASED_WITHIN_MS } = deps;
  return async ({ tenant, planId: id }) => {
    const planId = PlanId.safeParse(id).data;
    if (planId === undefined) throw planNotFound(id);
    const plan = await book.find(planId);
    if (plan !== undefined && plan.goal.tenant !== tenant) throw planNotFound(id);
    if (plan !== undefined) refuseUndeletable(plan, book.openSubPlan(planId));
    // Registered before the request, which leads to the erasure.
    const over = new AbortController();
    const erased = book.untilErased(
      planId,
      AbortSignal.any([over.signal, AbortSignal.timeout(erasedWithinMs)]),
    );
    const isErased = erased.then(
      () => true,
      () => false,
    );
    try {
      if (plan === undefined) {
        const state = await earlierDeletion(deps.bus, planId, tenant);
        if (state === undefined) throw planNotFound(id);
        if (state === "erased") return { planId, state };
      } else {
        const { trace } = plan.goal;
        await storeRequest(deps, DeleteRequested.create({ planId, at: now() }, { by: tenant, trace }));
      }
      return { planId, state: (await isErased) ? "erased" : "pending" };
    } finally {
      over.abort();
    }
  };
}

function refuseUndeletable(plan: KnownPlan, openSubPlan: PlanId | undefined): void {
  const { parent } = plan.goal;
  if (parent !== undefined) {
    throw new Problem(
      "plan_is_sub_plan",
      `the plan is a sub-plan and can only be deleted with its parent: delete ${parent.planId}`,
    );
  }
  if (!isEnded(plan)) {
    throw new Problem("plan_not_ended", `the plan is ${plan.status} and has not ended: cancel it first`);
  }
  if (openSubPlan !== undefined) {
    throw new Problem("plan_not_ended", `its sub-plan ${openSubPlan} has not ended: cancel it first`);
  }
}

/** The state of an earlier deletion of the plan by this tenant; undefined when there was none. */
async function earlierDeletion(
  bus: Bus,
  planId: PlanId,
  tenant: string,
): Promise<Deletion["state"] | undefined> {
  const isErased = async (): Promise<boolean> => {
    const tombstone = await readTombstone(bus, planId);
    return tombstone?.type === "plan.deleted" && tombstone.data.tenant === tenant;
  };
  // Checks before and after: for a moment the tombstone exists beside the request, then it replaces it.
  if (await isErased()) return "erased";
  const request = await lastMessage(bus, deletionSubject(planId));
  if (request === undefined) return (await isErased()) ? "erased" : undefined;
  return DeleteRequested.safeParse(request.json()).data?.data.by === tenant ? "pending" : undefined;
}
