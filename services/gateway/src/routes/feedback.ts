import { ratePlan } from "@planwright/api";
import type { GiveFeedback } from "../feedback/give-feedback.ts";
import { type App, serve } from "../http/contract.ts";

/** `POST /v1/plans/:planId/feedback`: rates an ended plan; the last rating counts. */
export function feedbackRoute(app: App, { giveFeedback }: { readonly giveFeedback: GiveFeedback }): void {
  serve(app, ratePlan, async ({ tenant, identity, params: { planId }, body: feedback }) =>
    giveFeedback({ tenant, identity, planId, feedback }),
  );
}
