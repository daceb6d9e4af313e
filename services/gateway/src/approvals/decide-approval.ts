import {
  type Approval,
  ApprovalDecided,
  BudgetRaise,
  type ApprovalView,
  approvalView,
  checkFinalArguments,
  choicesOf,
  isPending,
  type KnownPlan,
  OUTPUT_INLINE_BYTES_MAX,
  type ToolSpec,
} from "@planwright/plan";
import { ConflictError, factSubject, type Publish } from "@planwright/shared/bus";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { takenIn } from "../plans/store-request.ts";
import { bodyHash } from "../submit/body-hash.ts";
import type { DecisionBody } from "./decision-body.ts";

export type DecideDeps = {
  readonly book: Pick<PlanBook, "find" | "reached">;
  readonly publish: Publish;
  readonly tools: () => ReadonlyMap<string, ToolSpec>;
  readonly now: () => Date;
};

export type DecideApproval = (request: {
  readonly tenant: string;
  readonly planId: string;
  readonly approvalId: string;
  readonly body: { readonly [Key in keyof DecisionBody]: DecisionBody[Key] | undefined } & {
    readonly decision: DecisionBody["decision"];
  };
}) => Promise<ApprovalView>;

type Decision = Parameters<DecideApproval>[0]["body"];

/**
 * Makes the function that records what people decide. The first decision that is stored counts; it answers once the
 * gateway's own view shows it.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `approval_not_found`; `approval_decided`,
 *   `approval_expired`, `approval_withdrawn` and `plan_ended` when nothing is left to decide; `invalid_request`,
 *   `invalid_edits`.
 */
export function createDecideApproval(deps: DecideDeps): DecideApproval {
  const { book, publish, now } = deps;
  return async ({ tenant, planId, approvalId, body }) => {
    const plan = await ownPlan(book, { tenant, planId });
    const approval = approvalOf(plan, approvalId);
    refuseUnlessPending(plan, approval);
    refuseUnfit(approval, body, deps.tools());

    const at = now().toISOString();
    const data = { approvalId, ...body, by: body.by ?? tenant };
    const event = ApprovalDecided.parse({
      id: `${plan.planId}/approval/${approvalId}/${bodyHash({ ...data, at })}`,
      type: "approval.decided",
      planId: plan.planId,
      at,
      data,
    });
    await takenIn(book, await publishFirst(publish, event));

    const after = await ownPlan(book, { tenant, planId });
    const decided = approvalOf(after, approvalId);
    // Stored, and too late all the same: the plan or the approval's time had come to its end before.
    if (decided.decided?.expired !== false) refuseUnlessPending(after, decided);
    return approvalView(after, decided);
  };
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
    throw new Problem("plan_ended", `the plan has already come to its end: ${plan.status}`);
  }
  throw new Problem("approval_withdrawn", "its step has come to its end without it");
}

/** What is decided must be what this approval asks. */
function refuseUnfit(
  approval: Approval,
  { decision, edits, output }: Decision,
  tools: ReadonlyMap<string, ToolSpec>,
): void {
  const choices = choicesOf(approval);
  if (!choices.includes(decision))
    throw unfit("decision", `wanted one of ${choices.join(", ")}, got ${decision}`);
  if (edits !== undefined && decision !== "approve") throw unfit("edits", `wanted none with ${decision}`);
  if (output !== undefined && decision !== "happened") throw unfit("output", `wanted none with ${decision}`);
  const bytes = output === undefined ? 0 : Buffer.byteLength(JSON.stringify(output));
  if (bytes > OUTPUT_INLINE_BYTES_MAX) {
    throw unfit("output", `wanted at most ${OUTPUT_INLINE_BYTES_MAX} bytes, got ${bytes}`);
  }
  if (edits !== undefined && approval.kind === "budget") refuseBadRaise(edits);
  if (edits !== undefined && approval.tool !== undefined) refuseBadEdits(edits, tools.get(approval.tool));
}

function refuseBadRaise(edits: NonNullable<Decision["edits"]>): void {
  const { error } = BudgetRaise.safeParse(edits);
  const [first] = error?.issues ?? [];
  if (first !== undefined) throw unfit(["edits", ...first.path].join("."), first.message);
}

function refuseBadEdits(edits: NonNullable<Decision["edits"]>, spec: ToolSpec | undefined): void {
  if (spec === undefined) {
    throw new Problem("not_ready", "the tool is not announced, so that the edits cannot be checked", {
      retryAfterS: 1,
    });
  }
  const issues = checkFinalArguments(edits, spec);
  const [first] = issues;
  if (first !== undefined) throw new Problem("invalid_edits", `${first.field}: ${first.message}`, { issues });
}

function unfit(field: string, message: string): Problem {
  return new Problem("invalid_request", `${field}: ${message}`, { issues: [{ field, message }] });
}

async function publishFirst(publish: Publish, event: ApprovalDecided): Promise<number> {
  try {
    return (await publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } })).sequence;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    throw new Problem("approval_decided", "somebody else has just decided", { cause: error });
  }
}
