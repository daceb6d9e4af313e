/** Re-runs a plan: its submission, with or without edits, becomes a new plan. */
import { editSubmission, type JsonObject, submissionOf } from "@planwright/plan";
import type { Span } from "@planwright/shared/telemetry";
import type { Caller } from "../http/authenticate.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { sentSubmission } from "./check-submission.ts";
import type { Accepted } from "./store-goal.ts";
import type { SubmitPlan } from "./submit-plan.ts";

export type RerunDeps = { readonly book: Pick<PlanBook, "find">; readonly submit: SubmitPlan };

export type RerunPlan = (
  request: Caller & {
    readonly planId: string;
    readonly edits: JsonObject;
    readonly idempotencyKey: string | undefined;
    readonly span: Span;
  },
) => Promise<Accepted>;

/**
 * Makes the function that re-runs plans, whether open, ended or archived. It resolves once the log has stored the new plan.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, and every refusal of a submission.
 */
export function createRerunPlan({ book, submit }: RerunDeps): RerunPlan {
  return async ({ tenant, identity, planId, edits, idempotencyKey, span }) => {
    const origin = await ownPlan(book, { tenant, planId });
    const sent = sentSubmission(editSubmission(submissionOf(origin.goal), edits));
    const rerun = { of: origin.planId, edits };
    return submit({
      tenant,
      identity,
      ...sent,
      idempotencyKey,
      span,
      rerun,
      derivedFrom: origin.goal.derivedFrom,
    });
  };
}
