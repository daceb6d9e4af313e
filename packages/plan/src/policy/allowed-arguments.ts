import {
  resolveArguments,
  type ResolvedArguments,
  type ArgumentsFault,
} from "../arguments/resolve-arguments.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../machine/plan-state.ts";
import type { PolicyCall } from "./match-rules.ts";
import { callOfStep, callOfUndo } from "./policy-call.ts";
import type { PlannedStep } from "./provenance.ts";
import { AGENT_REACT, PLAN_RUN } from "../language/tool-names.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import type { EgressRule } from "../egress/egress-rule.ts";
import type { JsonObject } from "../values/json.ts";
import { isObject } from "../values/json-guards.ts";
import type { Step } from "../language/plan-language.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { isDenied, isToolDenied, policyLifts } from "./gates.ts";

/**
 * The arguments that a step runs with: if it needed approval, the approved ones in every attempt. A fault if they cannot be
 * resolved, or the installation's policy denies the call with them.
 */
export function allowedArguments(
  plan: KnownPlan,
  entry: PlannedStep & Pick<StepEntry, "item" | "grant" | "approved">,
): ResolvedArguments {
  const resolved = entry.approved ?? resolveArguments(plan, entry.step, entry.item?.value);
  return unlessDenied(plan, unlessApproved(entry, callOfStep(plan, entry)), resolved);
}

/** The same for a step's compensation. */
export function allowedUndoArguments(
  plan: KnownPlan,
  entry: Pick<CompensationEntry, "stepId" | "compensate" | "approved">,
): ResolvedArguments {
  const resolved = entry.approved ?? resolveArguments(plan, entry.compensate);
  return unlessDenied(plan, unlessApproved(entry, callOfUndo(plan, entry)), resolved);
}

/** Clears the composed URLs of approved arguments: they no longer count as composed by a model. */
function unlessApproved({ approved }: Pick<StepEntry, "approved">, call: PolicyCall): PolicyCall {
  return approved === undefined ? call : { ...call, composed: undefined };
}

function unlessDenied({ goal }: KnownPlan, call: PolicyCall, resolved: ResolvedArguments): ResolvedArguments {
  if ("fault" in resolved) return resolved;
  const fault = denial(goal, { ...call, args: resolved.args });
  return fault === undefined ? resolved : { fault };
}

/** The code of a step, or of a call of a loop, that the policy denies. */
export const DENIED_BY_POLICY = "denied_by_policy";

/** The parts of a plan's goal that can deny calls. */
type Refusing = { readonly policy?: GatePolicy | undefined; readonly egress?: EgressRule | undefined };

/** Why the policy denies a call; undefined if it does not, as far as this is known. */
export function denial(
  { policy, egress }: Refusing,
  call: PolicyCall & { readonly args: JsonObject },
): ArgumentsFault | undefined {
  if (!isDenied(policy, call)) return urlDenial({ policy, egress }, call);
  const from = call.from?.tools ?? [];
  const origin = from.length === 0 ? "" : `, which come from ${from.join(", ")}`;
  const what = isToolDenied(policy, call.tool) ? call.tool : `${call.tool} with these arguments${origin}`;
  return { code: DENIED_BY_POLICY, message: `the installation's policy forbids ${what}` };
}

/** Whether the policy denies a call, as far as this is known. */
export function isRefused(refusing: Refusing, call: PolicyCall): boolean {
  return isDenied(refusing.policy, call) || urlDenial(refusing, call) !== undefined;
}

function urlDenial({ policy, egress }: Refusing, call: PolicyCall): ArgumentsFault | undefined {
  const { composed: [first] = [] } = call;
  if (first === undefined || egress?.composedUrls !== "deny" || policyLifts(policy, call)) return undefined;
  const message = `the installation's policy forbids ${call.tool} with a URL that a model composed after it had read content (${first.argument}: ${first.host ?? "unknown host"})`;
  return { code: DENIED_BY_POLICY, message };
}

/** The tools of a plan that the policy denies whatever their arguments: of its steps, compensations, loops and sub-plans. */
export function deniedTools(
  policy: GatePolicy | undefined,
  { steps }: { readonly steps: readonly Pick<Step, "tool" | "args" | "compensate">[] },
): string[] {
  if (policy === undefined) return [];
  const tools = new Set(steps.flatMap((step) => toolsOf({ ...step })));
  return [...tools].filter((tool) => isToolDenied(policy, tool));
}

function toolsOf({ tool, args, compensate }: Readonly<Record<string, unknown>>): string[] {
  const own = typeof tool === "string" ? [tool] : [];
  const undo = isObject(compensate) ? toolsOf(compensate) : [];
  const { tools, plan } = isObject(args) ? args : {};
  const named = Array.isArray(tools) ? tools.filter((name) => typeof name === "string") : [];
  const called = tool === AGENT_REACT || tool === CODE_RUN ? named : [];
  return [...own, ...undo, ...called, ...(tool === PLAN_RUN ? toolsOfPlan(plan) : [])];
}

function toolsOfPlan(plan: unknown): string[] {
  if (!isObject(plan) || !Array.isArray(plan["steps"])) return [];
  return plan["steps"].filter(isObject).flatMap(toolsOf);
}
