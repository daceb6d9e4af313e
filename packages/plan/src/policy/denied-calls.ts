/** Calls that the installation's policy forbids. */
import { AGENT_REACT, PLAN_RUN } from "../language/tool-names.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import type { EgressRule } from "../egress/egress-rule.ts";
import type { JsonObject } from "../values/json.ts";
import { isObject } from "../values/json-guards.ts";
import type { Step } from "../language/plan-language.ts";
import type { ArgumentsFault } from "../arguments/resolve-arguments.ts";
import type { GatePolicy } from "./gate-policy.ts";
import type { PolicyCall } from "./match-rules.ts";
import { isDenied, isToolDenied, policyLifts } from "./gates.ts";

/** The code of a step, or of a call of a loop, that the policy forbids. */
export const DENIED_BY_POLICY = "denied_by_policy";

/** What of a plan's goal forbids calls. */
type Refusing = { readonly policy?: GatePolicy | undefined; readonly egress?: EgressRule | undefined };

/** Why a call may not run, by the policy; undefined when it may, as far as that is known. */
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

/** Whether a call may not run, by the policy, as far as that is known. */
export function isRefused(refusing: Refusing, call: PolicyCall): boolean {
  return isDenied(refusing.policy, call) || urlDenial(refusing, call) !== undefined;
}

function urlDenial({ policy, egress }: Refusing, call: PolicyCall): ArgumentsFault | undefined {
  const { composed: [first] = [] } = call;
  if (first === undefined || egress?.composedUrls !== "deny" || policyLifts(policy, call)) return undefined;
  const message = `the installation's policy forbids ${call.tool} with a URL that a model composed after it had read content (${first.argument}: ${first.host ?? "unknown host"})`;
  return { code: DENIED_BY_POLICY, message };
}

/** The tools of a plan that the policy forbids whatever their arguments are: of its steps, their compensations, loops and sub-plans. */
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
