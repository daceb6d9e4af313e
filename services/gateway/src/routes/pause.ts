import { pausePlan, resumePlan } from "@planwright/api";
import { type App, serve } from "../http/contract.ts";
import type { PausePlan, ResumePlan } from "../plans/pause-plan.ts";

/** `POST /v1/plans/:planId/pause` and `/resume`: running steps may finish; nothing new starts in between. */
export function pauseRoutes(
  app: App,
  { pause, resume }: { readonly pause: PausePlan; readonly resume: ResumePlan },
): void {
  serve(app, pausePlan, async ({ tenant, identity: by, params: { planId }, body: { reason } }, reply) =>
    reply.code(202).send(await pause({ tenant, planId, reason, by })),
  );
  serve(app, resumePlan, async ({ tenant, identity: by, params: { planId } }, reply) =>
    reply.code(202).send(await resume({ tenant, planId, by })),
  );
}
