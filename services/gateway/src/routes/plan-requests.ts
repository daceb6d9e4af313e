import { cancelPlan, decideApproval, deletePlan, pausePlan, ratePlan, resumePlan } from "@planwright/api";
import type { DecideApproval } from "../approvals/decide-approval.ts";
import type { GiveFeedback } from "../plans/give-feedback.ts";
import { type App, serve } from "../http/contract.ts";
import type { CancelPlan } from "../plans/cancel-plan.ts";
import type { DeletePlan } from "../plans/delete-plan.ts";
import type { PausePlan, ResumePlan } from "../plans/pause-plan.ts";

type PlanRequestDeps = {
  readonly cancel: CancelPlan;
  readonly pause: PausePlan;
  readonly resume: ResumePlan;
  readonly decide: DecideApproval;
  readonly giveFeedback: GiveFeedback;
  readonly erase: DeletePlan;
};

/** The requests to a single plan, each of which stores an event in its log. */
export function planRequestRoutes(app: App, deps: PlanRequestDeps): void {
  const { cancel, pause, resume, decide, giveFeedback, erase } = deps;
  // Ends the plan; running steps are stopped.
  serve(app, cancelPlan, async ({ tenant, identity: by, params: { planId }, body: { reason } }, reply) => {
    const cancelled = await cancel({ tenant, planId, reason, by });
    return reply.code(202).send({ ...cancelled, status: "cancelled" });
  });

  // Running steps may finish; nothing new starts until the plan is resumed.
  serve(app, pausePlan, async ({ tenant, identity: by, params: { planId }, body: { reason } }, reply) =>
    reply.code(202).send(await pause({ tenant, planId, reason, by })),
  );
  serve(app, resumePlan, async ({ tenant, identity: by, params: { planId } }, reply) =>
    reply.code(202).send(await resume({ tenant, planId, by })),
  );

  // A reviewer's decision; the first one counts.
  serve(app, decideApproval, async ({ tenant, identity, role, params, body }) =>
    decide({ tenant, identity, role, ...params, body }),
  );

  // Rates an ended plan; the last rating counts.
  serve(app, ratePlan, async ({ tenant, identity, params: { planId }, body: feedback }) =>
    giveFeedback({ tenant, identity, planId, feedback }),
  );

  // Erases all stored data of an ended plan.
  serve(app, deletePlan, async ({ tenant, params, log }, reply) => {
    const { planId, state } = await erase({ tenant, planId: params.planId });
    log.info({ planId, tenant, state }, "plan deleted");
    if (state === "pending") return reply.code(202).send({ planId, status: "deleting" });
    return reply.code(204).send(null);
  });
}
