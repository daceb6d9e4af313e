import { type Approval, approvalView, type KnownPlan, viewOf } from "@planwright/plan";
import { type Redactor, VIEWS } from "@planwright/shared/redaction";
import { Problem } from "../http/problem.ts";

/**
 * Refuses an approval decision if the redaction rules hide part of the approval from the reviewer: reviewers must see everything
 * that will run.
 *
 * @throws {Problem} `redacted_for_role`
 */
export function refuseUnseen(plan: KnownPlan, approval: Approval, redactor: Redactor): void {
  if (!redactor.isActive) return;
  const { question, args, details } = approvalView(plan, approval);
  const drafted =
    approval.kind === "plan"
      ? viewOf(plan, Date.parse(plan.updatedAt)).steps.map(({ description, tool, args: given }) => ({
          description,
          tool,
          args: given,
        }))
      : [];
  const asked = { question, args, details, steps: drafted };
  if (redactor.json(asked, VIEWS) === asked) return;
  throw new Problem(
    "redacted_for_role",
    "redaction rules hide part of this approval from your role, and only visible arguments can be approved: " +
      "use a role that the rules list in shownTo, or reject it",
  );
}
