/** Approval requests: each is an event, recorded once per approval id. */
import type { RunName, StepId } from "../values/ids.ts";
import { argumentsHash } from "../values/arguments-hash.ts";
import { canonicalJson } from "../values/canonical-json.ts";
import { recordFault, recordUndoFault } from "./attempt-fault.ts";
import type { Command } from "./command.ts";
import { COMPOSED_SHOWN_MAX, type ComposedUrl } from "../egress/egress-rule.ts";
import { ApprovalRequested, QUESTION_CHARS_MAX } from "../events/approval-events.ts";
import type { AskedCall } from "../events/step-events.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { HUMAN_ASK } from "../language/tool-names.ts";
import { allowedArguments, allowedUndoArguments } from "../policy/allowed-arguments.ts";
import type { PolicyCall } from "../policy/match-rules.ts";
import { callOfLoop, callOfStep, callOfUndo } from "../policy/policy-call.ts";
import { originsOfLoop, originsOfStep, originsOfUndo } from "../policy/argument-origins.ts";
import { argumentsFrom, NOTHING, provenanceOf, provenanceOfUndo } from "../policy/provenance.ts";
import { policyRequires } from "../policy/gates.ts";
import { shownDeciders } from "../policy/may-decide.ts";
import { sha256 } from "../values/sha256.ts";
import { awaitingCompensation } from "../machine/step/compensations.ts";
import type { CritiqueRecord } from "../machine/review/critique-state.ts";
import { gatedSteps, stepsOfDrafts } from "../machine/approval/plan-gate.ts";
import { type AwaitingApproval, type KnownPlan, type StepEntry } from "../machine/plan-state.ts";
import { itemOf, runNamed } from "../machine/step/runs.ts";
import { openGate } from "../machine/approval/open-gate.ts";
import {
  callRequiredBy,
  confidenceRequiredBy,
  isLargeDraft,
  planRequiredBy,
} from "../machine/approval/approval-gates.ts";

/** Requests approval of a step, or a decision on whether it ran; records the step's fault if there are no arguments to show. */
export function askForApproval(plan: KnownPlan, name: RunName): Command | undefined {
  const entry = runNamed(plan, name);
  if (entry?.state.status !== "awaiting-approval" || plan.approvals.has(entry.state.approvalId))
    return undefined;
  const { step, grant, state } = entry;
  const { attempt, approvalId, about } = state;
  if (about.call !== undefined) return askAboutCall(plan, entry, about.call);
  const resolved = allowedArguments(plan, entry);
  if ("fault" in resolved) return recordFault(plan, entry, attempt, resolved.fault);
  const { args } = resolved;
  const from = provenanceOf(plan, entry);
  const { composed = [] } = callOfStep(plan, entry);
  const requiredBy = requiredOf(plan, entry, { args, from, composed });
  const data: ApprovalRequested["data"] = {
    approvalId,
    kind: about.kind,
    question: `${questionOf(entry, about, args)}${requiredText(requiredBy, composed)}`.slice(
      0,
      QUESTION_CHARS_MAX,
    ),
    stepId: step.id,
    item: itemOf(entry),
    attempt,
    tool: step.tool,
    risk: grant.risk,
    args,
    argsHash: argumentsHash(args),
    ...(requiredBy === undefined ? {} : { requiredBy }),
    ...shownDeciders(plan, { kind: about.kind, tool: step.tool, args, ...argumentsFrom(from) }),
    ...argumentsFrom(from),
    ...shownUrls(composed),
    ...(about.kind === "question" ? {} : { argumentOrigins: originsOfStep(plan, entry) }),
    ...detailsOf(entry, args),
    expiresAfterMs: about.kind === "question" ? (step.timeoutMs ?? expiryOf(plan)) : expiryOf(plan),
  };
  return recordQuestion(plan, data);
}

/** Requests approval of a loop's call, or a decision on whether it took effect. */
function askAboutCall(plan: KnownPlan, entry: StepEntry, call: AskedCall): Command | undefined {
  const { step, state } = entry;
  if (state.status !== "awaiting-approval") return undefined;
  const { turn, call: place, thought, tool, args, risk, doubt } = call;
  const asked = callOfLoop(plan, entry, { tool, args, turn });
  const { composed = [], from = NOTHING } = asked;
  const requiredBy = doubt === undefined ? callRequiredBy(plan.goal, { ...asked, risk }) : undefined;
  const question =
    doubt === undefined
      ? `May step ${step.id} call ${tool} (${risk} risk) with these arguments?${requiredText(requiredBy, composed)}`
      : `Did ${tool} take effect, which step ${step.id} has called? ${doubt}`;
  return recordQuestion(plan, {
    approvalId: state.approvalId,
    kind: state.about.kind,
    question: question.slice(0, QUESTION_CHARS_MAX),
    stepId: step.id,
    item: itemOf(entry),
    attempt: state.attempt,
    tool,
    risk,
    args,
    argsHash: argumentsHash(args),
    ...(requiredBy === undefined ? {} : { requiredBy }),
    ...shownDeciders(plan, { kind: state.about.kind, tool, args, ...argumentsFrom(from) }),
    ...argumentsFrom(from),
    ...shownUrls(composed),
    argumentOrigins: originsOfLoop(plan, entry, { args, turn }),
    details: { turn, ...(place === undefined ? {} : { call: place }), thought },
    expiresAfterMs: expiryOf(plan),
  });
}

/** Who must approve a run, when the approval is a gate. */
function requiredOf(
  { goal }: KnownPlan,
  { step, grant, state }: StepEntry,
  known: Pick<PolicyCall, "from" | "composed"> & { readonly args: JsonObject },
): ApprovalRequested["data"]["requiredBy"] {
  if (state.status !== "awaiting-approval") return undefined;
  const { kind } = state.about;
  if (kind === "confidence") return confidenceRequiredBy(goal, step.confidence);
  return kind === "tool-risk"
    ? callRequiredBy(goal, { tool: step.tool, risk: grant.risk, ...known })
    : undefined;
}

function requiredText(
  requiredBy: ApprovalRequested["data"]["requiredBy"],
  composed: readonly ComposedUrl[],
): string {
  if (requiredBy !== "egress") return policyText(requiredBy);
  const told = composed.map(({ host, query, argument }) => {
    const what = query === undefined ? "" : `, the query ${JSON.stringify(query)}`;
    return host === undefined ? `${argument} is not known yet` : `it would reach ${host}${what}`;
  });
  return ` A model composed the URL after it had read content: ${told.join("; ")}.`;
}

/** The event's field for URLs that a model composed; left out when there are none. */
function shownUrls(composed: readonly ComposedUrl[]): Pick<ApprovalRequested["data"], "composedUrls"> {
  return composed.length === 0 ? {} : { composedUrls: composed.slice(0, COMPOSED_SHOWN_MAX) };
}

function policyText(requiredBy: ApprovalRequested["data"]["requiredBy"]): string {
  return requiredBy === "policy" ? " The installation's policy requires approval." : "";
}

/** Returns the text of a question unchanged. A part of it may be stored as an artifact. */
function wordsOf(question: Json | undefined): string {
  return typeof question === "string" ? question : JSON.stringify(question ?? "");
}

function questionOf({ step, grant }: StepEntry, about: AwaitingApproval["about"], args: JsonObject): string {
  switch (about.kind) {
    case "tool-risk":
      return `May ${step.tool} (${grant.risk} risk) run with these arguments?`;
    case "confidence":
      return `May ${step.tool} run with these arguments? Its planner is ${step.confidence ?? 0} sure of it.`;
    case "question":
      return wordsOf(args["question"]);
    case "outcome-unknown":
      return `Did ${step.tool} take effect? ${about.message}`;
    default:
      about satisfies never;
      return "";
  }
}

function detailsOf({ step }: StepEntry, { choices }: JsonObject): { details?: JsonObject } {
  const details: JsonObject = {};
  if (step.confidence !== undefined) details["confidence"] = step.confidence;
  if (step.tool === HUMAN_ASK && choices !== undefined) details["choices"] = choices;
  return Object.keys(details).length === 0 ? {} : { details };
}

/** Requests approval of the plan. Its steps are in the plan's view; the request is bound to exactly these. */
export function askAboutPlan(plan: KnownPlan): Command | undefined {
  const gate = openGate(plan);
  if (gate === undefined || plan.approvals.has(gate.approvalId)) return undefined;
  const entries = gatedSteps(plan);
  const changing = entries.filter(({ grant }) => grant.effect !== "read").length;
  const isWhole = gate.from <= 1 || plan.revision === 0;
  const what = isWhole ? "plan" : "revision";
  const details: JsonObject = { draft: gate.to, steps: entries.length, changing };
  if (plan.confidence !== undefined) details["confidence"] = plan.confidence;
  if (plan.planReviews !== undefined) details["reviews"] = plan.planReviews.map(toldReview);
  const steps = entries.length === 1 ? "step" : "steps";
  const requiredBy = planRequiredBy(plan.goal, plan.confidence);
  return recordQuestion(plan, {
    approvalId: gate.approvalId,
    kind: "plan",
    question: `May this ${what} of ${entries.length} ${steps} run? ${changesText(changing)}${sizeText(plan, gate.from)}${policyText(requiredBy)}`,
    argsHash: sha256(canonicalJson(entries.map(({ step }) => step))),
    ...(requiredBy === undefined ? {} : { requiredBy }),
    ...shownDeciders(plan, { kind: "plan" }),
    details,
    expiresAfterMs: expiryOf(plan),
  });
}

/** Why a plan needs approval although its goal did not require it: the draft has too many steps. */
function sizeText(plan: KnownPlan, from: number): string {
  const { unapprovedStepsMax } = plan.goal;
  const steps = stepsOfDrafts(plan, from);
  if (!isLargeDraft(plan.goal, steps)) return "";
  return ` The draft has ${steps} steps; plans above ${unapprovedStepsMax} steps need approval.`;
}

function changesText(changing: number): string {
  if (changing === 0) return "None of them changes anything.";
  return changing === 1 ? "1 of them changes something." : `${changing} of them change something.`;
}

function toldReview({ draft, verdict, score, issues, suggestion }: CritiqueRecord): JsonObject {
  return { draft, verdict, ...(score === undefined ? {} : { score }), issues: [...issues], suggestion };
}

/**
 * Requests approval of a compensation, if a policy requires it, or a decision on whether one with an unknown outcome took effect.
 */
export function askAboutUndo(plan: KnownPlan, stepId: StepId): Command | undefined {
  const entry = awaitingCompensation(plan, stepId);
  if (entry === undefined || plan.approvals.has(entry.state.approvalId)) return undefined;
  const { compensate, grant, state } = entry;
  const { attempt, approvalId, about } = state;
  const { tool } = compensate;
  const resolved = allowedUndoArguments(plan, entry);
  const isGate = about.kind !== "outcome-unknown";
  if (isGate && "fault" in resolved) return recordUndoFault(plan, stepId, attempt, resolved.fault);
  const args = "fault" in resolved ? {} : resolved.args;
  const from = argumentsFrom(provenanceOfUndo(plan, entry));
  const { composed = [], ...call } = callOfUndo(plan, entry);
  const byPolicy = policyRequires(plan.goal.policy, { ...call, risk: grant.risk });
  const requiredBy = byPolicy ? ("policy" as const) : ("egress" as const);
  const question = isGate
    ? `May ${tool} (${grant.risk} risk) run with these arguments, to undo step ${stepId}?${requiredText(requiredBy, composed)}`
    : `Did ${tool} undo step ${stepId}? ${about.message}`;
  return recordQuestion(plan, {
    approvalId,
    kind: about.kind,
    question: question.slice(0, QUESTION_CHARS_MAX),
    stepId,
    item: 0,
    undo: true,
    attempt,
    tool,
    risk: grant.risk,
    args,
    argsHash: argumentsHash(args),
    ...(isGate ? { requiredBy, ...shownUrls(composed) } : {}),
    ...shownDeciders(plan, { kind: about.kind, tool, args, ...from }),
    ...from,
    argumentOrigins: originsOfUndo(plan, entry),
    expiresAfterMs: expiryOf(plan),
  });
}

export function recordQuestion(
  { planId }: KnownPlan,
  data: ApprovalRequested["data"] | undefined,
): Command | undefined {
  if (data === undefined) return undefined;
  return { kind: "record", event: ApprovalRequested.unstamped(planId, data) };
}

/** How long a request of this plan stays open, in milliseconds. */
export function expiryOf({ goal }: KnownPlan): number {
  return goal.approval.expiresAfterMs;
}
