/** Checks a user's decision against the approval's request. */
import {
  type Agents,
  type Approval,
  BudgetRaise,
  checkFinalArguments,
  checkPlan,
  choicesOf,
  denial,
  depthOf,
  grantsOf,
  type Json,
  type Provenance,
  raiseAbove,
  stepsBeside,
  JsonObject,
  type KnownPlan,
  OUTPUT_INLINE_BYTES_MAX,
  type ToolGrant,
  type ToolSpec,
} from "@planwright/plan";
import { Problem } from "../http/problem.ts";
import { refuseDenied } from "../submit/check-submission.ts";
import { invalidPlan } from "../submit/invalid-plan.ts";
import type { DecisionBody } from "@planwright/api";

export type Decision = { readonly [Key in keyof DecisionBody]: DecisionBody[Key] | undefined } & {
  readonly decision: DecisionBody["decision"];
};
export type CheckedDecision = Decision & { readonly grants?: Record<string, ToolGrant> };

type Asked = {
  readonly plan: KnownPlan;
  readonly approval: Approval;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly agents: Agents;
};

/**
 * The decision must be one of this approval's choices.
 *
 * @returns The decision as it is stored in the log.
 * @throws {Problem} `invalid_request`, `invalid_edits`, `invalid_plan`, `denied_by_policy`, `not_ready`.
 */
export function checkDecision(body: Decision, { plan, approval, tools, agents }: Asked): CheckedDecision {
  const { decision, edits, output } = body;
  const choices = choicesOf(approval);
  if (!choices.includes(decision))
    throw unfit("decision", `wanted one of ${choices.join(", ")}, got ${decision}`);
  if (edits !== undefined && decision !== "approve") throw unfit("edits", `wanted none with ${decision}`);
  if (output !== undefined && decision !== "happened") throw unfit("output", `wanted none with ${decision}`);
  refuseAboveInline("output", output);
  refuseBadAnswer(body, approval);
  if (edits === undefined) return body;
  if (approval.kind === "plan") return { ...body, ...editedPlan(edits, plan, { tools, agents }) };
  if (approval.kind === "budget") refuseBadRaise(edits, plan);
  if (approval.tool !== undefined) {
    refuseBadEdits(edits, tools.get(approval.tool));
    const { argumentsFrom: from = { tools: [], isOpen: false } } = approval;
    refuseDeniedCall(plan, { tool: approval.tool, args: edits, from });
  }
  return body;
}

function refuseBadAnswer({ decision, answer }: Decision, { details }: Approval): void {
  if (decision !== "answer") {
    if (answer !== undefined) throw unfit("answer", `wanted none with ${decision}`);
    return;
  }
  if (answer === undefined) throw unfit("answer", "wanted one with answer, got none");
  refuseAboveInline("answer", answer);
  const choices = details?.["choices"];
  if (Array.isArray(choices) && !choices.includes(answer)) {
    throw unfit("answer", `wanted one of ${JSON.stringify(choices)}`);
  }
}

/** The answer becomes a step's output, which is stored in an event. */
function refuseAboveInline(field: string, value: Json | undefined): void {
  const bytes = value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
  if (bytes <= OUTPUT_INLINE_BYTES_MAX) return;
  throw unfit(field, `wanted at most ${OUTPUT_INLINE_BYTES_MAX} bytes, got ${bytes}`);
}

/** The whole plan as edited by a user, checked like a submitted one together with the existing steps. */
function editedPlan(
  edits: JsonObject,
  plan: KnownPlan,
  { tools, agents }: Pick<Asked, "tools" | "agents">,
): Pick<CheckedDecision, "edits" | "grants"> {
  if (tools.size === 0) {
    throw new Problem("not_ready", "no tool is announced, so the plan cannot be checked", {
      retryAfterS: 1,
    });
  }
  const checked = checkPlan(edits, {
    tools,
    agents,
    allowed: plan.goal.tools,
    depth: depthOf(plan),
    beside: stepsBeside(plan),
  });
  if (checked.plan === undefined) throw invalidPlan(checked.issues);
  refuseDenied(checked.plan, plan.goal.policy);
  return { edits: JsonObject.parse(checked.plan), grants: grantsOf(checked.plan, tools, agents.types) };
}

function refuseDeniedCall(
  { goal }: KnownPlan,
  call: { readonly tool: string; readonly args: JsonObject; readonly from: Provenance },
): void {
  const denied = denial(goal, call);
  if (denied !== undefined) throw new Problem("denied_by_policy", `edits: ${denied.message}`);
}

function refuseBadRaise(edits: NonNullable<Decision["edits"]>, plan: KnownPlan): void {
  const { error, data } = BudgetRaise.safeParse(edits);
  const tooMuch = data === undefined ? undefined : raiseAbove(plan, data);
  if (tooMuch !== undefined) throw new Problem("denied_by_policy", `edits: ${tooMuch}`);
  const [first] = error?.issues ?? [];
  if (first !== undefined) throw unfit(["edits", ...first.path].join("."), first.message);
}

function refuseBadEdits(edits: NonNullable<Decision["edits"]>, spec: ToolSpec | undefined): void {
  if (spec === undefined) {
    throw new Problem("not_ready", "the tool is not announced, so the edits cannot be checked", {
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
