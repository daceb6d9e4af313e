import { randomUUID } from "node:crypto";
import {
  type Approval,
  decisionRefusal,
  ApprovalDecided,
  type ApprovalView,
  approvalView,
  isPending,
  type KnownPlan,
  permissionToDecide,
} from "@planwright/plan";
import { type Bus, appendEvent, decisionSubjects, lastMessage, type Publish } from "@planwright/shared/bus";
import type { Redaction } from "@planwright/shared/redaction";
import type { PlanBook } from "../book/plan-book.ts";
import type { Authenticated, Caller } from "../http/authenticate.ts";
import { Problem } from "../http/problem.ts";
import { requirePermission } from "../http/require-permission.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { refuseUnseen } from "../redaction/refuse-unseen.ts";
import { takenIn } from "../plans/store-request.ts";
import type { Offer } from "../submit/check-submission.ts";
import { checkDecision, type Decision } from "./check-decision.ts";

export type DecideDeps = {
  readonly bus: Bus;
  readonly book: Pick<PlanBook, "find" | "reached">;
  readonly publish: Publish;
  readonly offer: () => Pick<Offer, "tools" | "agents">;
  readonly now: () => Date;
  readonly redaction: Pick<Redaction, "forRole">;
  /** The maximum bytes of one decision in the log. */
  readonly bytesMax: number;
};

export type DecideApproval = (
  request: Authenticated & {
    /** Whether it comes from an MCP client. */
    readonly isMcp?: boolean;
    readonly planId: string;
    readonly approvalId: string;
    readonly body: Decision;
  },
) => Promise<ApprovalView>;

/**
 * Makes the function that records users' decisions. The first decision to be stored counts; the function resolves once the
 * gateway's own view shows it.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `approval_not_found`, `role_required`, `not_an_approver`,
 * `redacted_for_role`, `denied_by_policy`; `approval_decided`, `approval_expired`, `approval_withdrawn` and `plan_ended` when
 * nothing is left to decide; `invalid_request`, `invalid_edits`, `invalid_plan`, `body_too_large`.
 */
export function createDecideApproval(deps: DecideDeps): DecideApproval {
  const { book, publish, now } = deps;
  return async ({ tenant, identity, role, isMcp, planId, approvalId, body }) => {
    const what = `the decision ${body.decision}`;
    requirePermission({ identity, role }, permissionToDecide(body.decision), what);
    const plan = await planAsking(deps, { tenant, planId, approvalId });
    const approval = approvalOf(plan, approvalId);
    refuseUnlessPending(plan, approval);
    const { decision, edits } = body;
    const refusal = decisionRefusal(plan.goal, approval, { decision, edits, identity, isMcp });
    if (refusal !== undefined) throw new Problem("not_an_approver", refusal);
    if (permissionToDecide(decision) === "decide") refuseUnseen(plan, approval, deps.redaction.forRole(role));
    const checked = checkDecision(body, { plan, approval, ...deps.offer() });

    const data = { approvalId, ...checked, ...signature(body.by, { tenant, identity }) };
    refuseAbove(deps.bytesMax, data);
    const event = ApprovalDecided.create({ planId: plan.planId, at: now() }, data, randomUUID());
    await takenIn(book, await publishFirst(publish, event));

    const after = await ownPlan(book, { tenant, planId });
    const decided = approvalOf(after, approvalId);
    // Stored, but too late: the plan had already ended or the approval had expired.
    if (decided.decided?.expired !== false) refuseUnlessPending(after, decided);
    return approvalView(after, decided);
  };
}

/** The decider: the identity of the key in the request. Without keys, a single user decides everything, under any name. */
function signature(
  name: string | undefined,
  { tenant, identity }: Caller,
): { by: string; signedAs?: string } {
  if (identity === undefined) return { by: name ?? tenant };
  return name === undefined ? { by: identity } : { by: identity, signedAs: name };
}

/**
 * The plan once it has the approval, provided the log has it: another replica may show an approval slightly before this one has
 * read that far.
 */
async function planAsking(
  { bus, book }: Pick<DecideDeps, "bus" | "book">,
  { approvalId, ...named }: { readonly tenant: string; readonly planId: string; readonly approvalId: string },
): Promise<KnownPlan> {
  const plan = await ownPlan(book, named);
  if (plan.approvals.has(approvalId)) return plan;
  // The approval request may share a batch with other decisions.
  const last = await lastMessage(bus, decisionSubjects(plan.planId));
  if (last === undefined) return plan;
  await takenIn(book, last.seq);
  return ownPlan(book, named);
}

function approvalOf(plan: KnownPlan, approvalId: string): Approval {
  const approval = plan.approvals.get(approvalId);
  if (approval !== undefined) return approval;
  throw new Problem(
    "approval_not_found",
    `the plan has no approval ${JSON.stringify(approvalId.slice(0, 80))}`,
  );
}

function refuseUnlessPending(plan: KnownPlan, approval: Approval): void {
  const { decided } = approval;
  if (decided?.expired === true) throw new Problem("approval_expired", `it expired at ${approval.expiresAt}`);
  if (decided !== undefined) {
    throw new Problem("approval_decided", `${decided.by} decided at ${decided.at}: ${decided.decision}`);
  }
  if (isPending(plan, approval)) return;
  if (plan.conclusion !== undefined) {
    throw new Problem("plan_ended", `plan already finished (${plan.status})`);
  }
  throw new Problem("approval_withdrawn", "its step has finished without it");
}

function refuseAbove(bytesMax: number, data: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes <= bytesMax) return;
  throw new Problem("body_too_large", `the decision has ${bytes} bytes; the limit is ${bytesMax}`);
}

async function publishFirst(publish: Publish, event: ApprovalDecided): Promise<number> {
  const stored = await appendEvent(publish, event);
  if (stored.status === "lost") throw new Problem("approval_decided", "another user has just decided");
  return stored.sequence;
}
