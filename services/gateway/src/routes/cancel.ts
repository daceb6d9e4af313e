import { cancelPlan } from "@planwright/api";
import { type App, serve } from "../http/contract.ts";
import type { CancelPlan } from "../plans/cancel-plan.ts";

/** `POST /v1/plans/:planId/cancel`: ends a plan; running steps are stopped. */
export function cancelRoute(app: App, { cancel }: { readonly cancel: CancelPlan }): void {
  serve(app, cancelPlan, async ({ tenant, identity: by, params: { planId }, body: { reason } }, reply) => {
    const cancelled = await cancel({ tenant, planId, reason, by });
    return reply.code(202).send({ ...cancelled, status: "cancelled" });
  });
}
