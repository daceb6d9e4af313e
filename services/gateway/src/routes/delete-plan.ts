import { deletePlan } from "@planwright/api";
import { type App, serve } from "../http/contract.ts";
import type { DeletePlan } from "../plans/delete-plan.ts";

/** `DELETE /v1/plans/:planId`: erases everything that is stored of an ended plan. */
export function deletePlanRoute(app: App, deps: { readonly deletePlan: DeletePlan }): void {
  serve(app, deletePlan, async ({ tenant, params, log }, reply) => {
    const { planId, state } = await deps.deletePlan({ tenant, planId: params.planId });
    log.info({ planId, tenant, state }, "plan deleted");
    if (state === "pending") return reply.code(202).send({ planId, status: "deleting" });
    return reply.code(204).send(null);
  });
}
