import { createStore, type Store } from "../ui/create-store.ts";

/** The numbers of plans, as last counted for the list. */
export type PlanCounts = { readonly all: number; readonly needsApproval: number };

/** Undefined until they have been counted. */
export function createPlanCounts(): Store<PlanCounts | undefined> {
  return createStore<PlanCounts | undefined>(undefined);
}
