/**
 * What the installation's policy asks of a call, and who may decide about it.
 *
 * POLICY-1. What cannot be judged by the arguments counts as what is stricter.
 * POLICY-2. A policy adds to what a submission requires, and takes nothing of it away.
 */
import type { Risk } from "../language/tool-spec.ts";
import type { GatePolicy, GateRule } from "./gate-policy.ts";
import { fitsPattern, type Match, matchesOf, type PolicyCall } from "./match-rules.ts";

const RISKS: readonly Risk[] = ["low", "medium", "high"];

/** Who may approve something: these identities, or every key of the tenant when absent. */
export type Deciders = {
  readonly approvers?: readonly string[] | undefined;
  readonly submitterMayApprove: boolean;
};

/** Whether a policy forbids a call. */
export function isDenied(policy: GatePolicy | undefined, call: PolicyCall): boolean {
  return policy !== undefined && strictest(matchesOf(policy, call), ({ deny }) => deny) === true;
}

/** Whether a policy forbids a tool whatever its arguments are. */
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

/** Whether a policy says of a call, by one of its rules, that it needs no approval. */
export function policyLifts(policy: GatePolicy | undefined, call: PolicyCall): boolean {
  if (policy === undefined) return false;
  return strictest(matchesOf(policy, call), ({ requireApproval }) => requireApproval) === false;
}

/** Whether a policy requires approval of every call of a tool, whatever its arguments are. */
export function policyAlwaysRequires(
  policy: GatePolicy | undefined,
  { tool, risk }: { readonly tool: string; readonly risk: Risk },
): boolean {
  if (policy === undefined) return false;
  const matches = matchesOf(policy, { tool });
  // A rule that lifts the gate for some arguments leaves it to these; one that imposes it for some says nothing of others.
  const said = mildest(matches, ({ requireApproval }) => requireApproval);
  return said ?? isAbove(policy, risk);
}

/** @param call - Absent for what is no call of a tool: a whole plan, a budget. */
export function decidersOf(policy: GatePolicy | undefined, call?: PolicyCall): Deciders {
  const matches = policy === undefined || call === undefined ? [] : matchesOf(policy, call);
  const approvers = approversOf(matches, policy?.approvers);
  // `false` is what is stricter here.
  const mayNot = strictest(matches, ({ submitterMayApprove: may }) => (may === undefined ? undefined : !may));
  const submitterMayApprove = mayNot === undefined ? policy?.submitterMayApprove !== false : !mayNot;
  return { ...(approvers === undefined ? {} : { approvers }), submitterMayApprove };
}

/** Whether an identity is among those that are named. */
export function isNamed(identity: string, names: readonly string[]): boolean {
  return names.some((pattern) => fitsPattern(identity, pattern));
}

function isAbove({ approval }: GatePolicy, risk: Risk): boolean {
  return approval?.risk !== undefined && isAtLeast(risk, approval.risk);
}

/** Whether a tool of this risk is as risky as `least`, or more. */
export function isAtLeast(risk: Risk, least: Risk): boolean {
  return RISKS.indexOf(risk) >= RISKS.indexOf(least);
}

type Setting = (rule: GateRule) => boolean | undefined;

/** The first setting that certainly matches, unless one before it may match and is stricter, which is `true`. */
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

/** Of rules that may match, only identities that all of them name. */
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
