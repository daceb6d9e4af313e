import type { PlanRules } from "./plan-rules.ts";
import { AGENT_REACT } from "../language/tool-names.ts";
import type { Agents } from "../language/agent-type.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import { ToolName } from "../language/tool-spec.ts";
import { quote, quoteAll } from "./describe-value.ts";
import type { IssueList } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";
import type { StepParts } from "./read-step.ts";

type Called = Pick<StepParts, "tool" | "args" | "agent" | "place">;

/**
 * Reports a step whose agent does not exist, or whose agent may not use the step's tool.
 *
 * Without configured agent types, an agent can be the name of any pool.
 */
export function checkAgent({ tool, agent, place }: Called, { agents }: PlanRules, issues: IssueList): void {
  if (agent === undefined || agents === undefined || agents.types.size === 0) return;
  const type = agents.types.get(agent);
  if (type === undefined) {
    if (agents.pools.has(agent)) return;
    const names = [...agents.types.keys()];
    issues.addToStep("unknown_agent", place, () => ({
      field: "agent",
      message: `there is no agent type ${quote(agent)}${didYouMean(agent, names) || `; there are ${quoteAll(names)}`}`,
    }));
  } else if (tool !== undefined && !type.tools.includes(tool)) {
    issues.addToStep("tool_not_granted", place, () => ({
      field: "tool",
      message: `the agent type ${quote(agent)} may not use ${quote(tool)}; it may use ${quoteAll(type.tools)}`,
    }));
  }
}

/** Reports tools of a loop inside a step that do not exist, or that the plan or the step's agent may not use. */
export function checkLoopTools(
  { tool, args, agent, place }: Called,
  rules: PlanRules,
  issues: IssueList,
): void {
  const names = tool === AGENT_REACT || tool === CODE_RUN ? args?.["tools"] : undefined;
  if (!Array.isArray(names)) return;
  const { tools, allowed, agents } = rules;
  const granted = typeOf(agents, agent)?.tools;
  // A nested program would need the state of the outer one.
  const isLoop = (name: string) => name === AGENT_REACT || name === tool;
  for (const [index, name] of names.entries()) {
    // The argument check handles references and values that are not names.
    if (typeof name !== "string" || !ToolName.safeParse(name).success) continue;
    const field = `args.tools[${index}]`;
    if (!tools.has(name) || isLoop(name)) {
      const usable = [...tools.keys()].filter((one) => !isLoop(one));
      issues.addToStep("unknown_tool", place, () => ({
        field,
        message: `a loop has no tool ${quote(name)}${didYouMean(name, usable) || `; there are ${quoteAll(usable)}`}`,
      }));
    } else if (allowed?.includes(name) === false) {
      issues.addToStep("tool_not_allowed", place, () => ({
        field,
        message: `this plan may not use ${quote(name)}; it may use ${quoteAll(allowed)}`,
      }));
    } else if (granted?.includes(name) === false) {
      issues.addToStep("tool_not_granted", place, () => ({
        field,
        message: `the agent type ${quote(agent ?? "")} may not use ${quote(name)}; it may use ${quoteAll(granted)}`,
      }));
    }
  }
}

function typeOf(agents: Agents | undefined, agent: string | undefined) {
  return agent === undefined ? undefined : agents?.types.get(agent);
}
