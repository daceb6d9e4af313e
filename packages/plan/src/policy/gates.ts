/**
 * The installation's requirements for a call, and who may decide about it.
 *
 * POLICY-1. If the arguments are not enough to evaluate a rule, the stricter result applies.
 * POLICY-2. A policy adds to a submission's requirements, and never removes any.
 */
import type { Risk } from "../language/tool-spec.ts";
import type { GatePolicy, GateRule } from "./gate-policy.ts";
import { fitsPattern, type Match, matchesOf, type PolicyCall } from "./match-rules.ts";

const RISKS: readonly Risk[] = ["low", "medium", "high"];

/** Who may approve a request: these identities, or every key of the tenant when absent. */
export type Deciders = {
  readonly approvers?: readonly string[] | undefined;
  readonly submitterMayApprove: boolean;
};

/** Whether a policy denies a call. */
export function isDenied(policy: GatePolicy | undefined, call: PolicyCall): boolean {
  return policy !== undefined && strictest(matchesOf(policy, call), ({ deny }) => deny) === true;
}

/** Whether a policy denies a tool whatever its arguments. */
export function isToolDenied(policy: GatePolicy | undefined, tool: string): boolean {
  return policy !== undefined && mildest(matchesOf(policy, { tool }), ({ deny }) => deny) === true;
}

/** Whether a policy requires approval of a call. */
export function policyRequires(
  policy: GatePolicy | undefined,
  call: PolicyCall & { readonly risk: Risk },
): boolean {
  if (policy === undefined) return false;
  const said = strictest(matchesOf(policy, call), ({ requireApproval }) => requireApproval);
  return said ?? isAbove(policy, call.risk);
}

/** Whether a rule of a policy lifts the approval of a call. */
export function policyLifts(policy: GatePolicy | undefined, call: PolicyCall): boolean {
  if (policy === undefined) return false;
  return strictest(matchesOf(policy, call), ({ requireApproval }) => requireApproval) === false;
}

/** Whether a policy requires approval of every call of a tool, whatever its arguments. */
export function policyAlwaysRequires(
  policy: GatePolicy | undefined,
  { tool, risk }: { readonly tool: string; readonly risk: Risk },
): boolean {
  if (policy === undefined) return false;
  const matches = matchesOf(policy, { tool });
  // A rule that lifts the gate for some arguments can still require approval of others; one that imposes it for some does not
  // apply to others.
  const said = mildest(matches, ({ requireApproval }) => requireApproval);
  return said ?? isAbove(policy, risk);
}

/** @param call - Absent for requests that are not calls of a tool: a whole plan, a budget. */
export function decidersOf(policy: GatePolicy | undefined, call?: PolicyCall): Deciders {
  const matches = policy === undefined || call === undefined ? [] : matchesOf(policy, call);
  const approvers = approversOf(matches, policy?.approvers);
  // `false` is the stricter value here.
  const mayNot = strictest(matches, ({ submitterMayApprove: may }) => (may === undefined ? undefined : !may));
  const submitterMayApprove = mayNot === undefined ? policy?.submitterMayApprove !== false : !mayNot;
  return { ...(approvers === undefined ? {} : { approvers }), submitterMayApprove };
}

/** Whether an identity is in the list. */
export function isNamed(identity: string, names: readonly string[]): boolean {
  return names.some((pattern) => fitsPattern(identity, pattern));
}

function isAbove({ approval }: GatePolicy, risk: Risk): boolean {
  return approval?.risk !== undefined && isAtLeast(risk, approval.risk);
}

/** Whether a risk is at least as high as `least`. */
export function isAtLeast(risk: Risk, least: Risk): boolean {
  return RISKS.indexOf(risk) >= RISKS.indexOf(least);
}

type Setting = (rule: GateRule) => boolean | undefined;

/** The first setting that certainly matches, unless an earlier one may match and is stricter, which is `true`. */
function strictest(matches: readonly Match[], settingOf: Setting): boolean | undefined {
  return firstOf(matches, settingOf, true);
}

function mildest(matches: readonly Match[], settingOf: Setting): boolean | undefined {
  return firstOf(matches, settingOf, false);
}

function firstOf(matches: readonly Match[], settingOf: Setting, unclear: boolean): boolean | undefined {
  for (const { rule, isUnclear } of matches) {
    const setting = settingOf(rule);
    if (setting !== undefined && (!isUnclear || setting === unclear)) return setting;
  }
  return undefined;
}

/** For rules that may match, only the identities that all of them name. */
function approversOf(
  matches: readonly Match[],
  usual: readonly string[] | undefined,
): readonly string[] | undefined {
  let named: readonly string[] | undefined;
  const narrow = (names: readonly string[]): void => {
    named = named === undefined ? names : named.filter((name) => names.includes(name));
  };
  for (const { rule, isUnclear } of matches) {
    if (rule.approvers === undefined) continue;
    narrow(rule.approvers);
    if (!isUnclear) return named;
  }
  if (usual !== undefined) narrow(usual);
  return named;
}
