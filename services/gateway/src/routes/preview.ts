import { checkPlan, previewPlan } from "@planwright/api";
import { type App, serve } from "../http/contract.ts";
import type { PreviewPlan } from "../preview/preview-plan.ts";
import { issuesOfPlan, type Offer } from "../submit/check-submission.ts";

/** `POST /v1/plans/preview`: drafts without running. `POST /v1/plans/check`: lists a plan's faults. */
export function previewRoutes(
  app: App,
  {
    preview,
    offer,
  }: { readonly preview: PreviewPlan; readonly offer: () => Pick<Offer, "tools" | "agents"> },
): void {
  serve(app, previewPlan, async ({ tenant, identity, body, sentBody }) =>
    preview({ tenant, identity, sentBody, read: () => body }),
  );
  serve(app, checkPlan, async ({ body: { plan } }) => {
    const issues = [...issuesOfPlan(plan, offer())];
    return { valid: issues.length === 0, issues };
  });
}
