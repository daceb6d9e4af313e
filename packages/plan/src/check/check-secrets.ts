import type { PlanRules } from "./plan-rules.ts";
import { AGENT_REACT } from "../language/tool-names.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import type { JsonObject } from "../values/json.ts";
import { findSecrets } from "../arguments/secret-references.ts";
import { secretFault } from "../arguments/secret-fault.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { pathText } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
import type { StepParts } from "./read-step.ts";

/**
 * Notes references to secrets that the step's tool may not use, as far as this is known before the step runs. The
 * executor decides: it alone has the rules that count, and the values.
 */
export function checkSecrets(
  { args, place }: Pick<StepParts, "place"> & { readonly args: JsonObject },
  { spec, rules, issues }: { readonly spec: ToolSpec; readonly rules: PlanRules; readonly issues: IssueList },
): void {
  const { name: tool, secrets: uses = [] } = spec;
  const isLoop = tool === AGENT_REACT || tool === CODE_RUN;
  for (const reference of findSecrets(args)) {
    const { name, path } = reference;
    // A loop gets the name only; its calls are checked when it makes them.
    const fault = isLoop
      ? unknownTo(rules, name)
      : secretFault({ tool, uses, args, isResolved: false }, reference);
    if (fault === undefined) continue;
    const field = pathText("args", path);
    const hint =
      fault.code === "unknown_secret" ? usersOf(rules, name) || didYouMean(name, namesOf(rules)) : "";
    issues.addToStep(fault.code, place, () => ({ field, message: fault.message + hint }));
  }
}

function unknownTo(rules: PlanRules, name: string) {
  if (namesOf(rules).includes(name)) return undefined;
  return { code: "unknown_secret", message: `there is no secret ${name}` } as const;
}

function namesOf({ tools }: PlanRules): string[] {
  return [...new Set([...tools.values()].flatMap(({ secrets = [] }) => secrets.map(({ name }) => name)))];
}

function usersOf({ tools }: PlanRules, name: string): string {
  const users = [...tools.values()].filter(({ secrets = [] }) => secrets.some((use) => use.name === name));
  return users.length === 0 ? "" : `; the secret is for ${users.map((tool) => tool.name).join(", ")}`;
}
