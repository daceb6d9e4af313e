import { type AgentType, poolOfType } from "./agent-type.ts";
import type { ToolGrant } from "../events/values.ts";
import type { PlanDocument, Step } from "./plan-language.ts";
import { grantKey } from "./tool-names.ts";
import type { ToolSpec } from "./tool-spec.ts";

type Call = Pick<Step, "tool" | "agent">;

/**
 * Returns the grants that a plan's log needs for the tools of its steps and their compensations, by tool name; for calls of an
 * agent type, by agent and tool.
 */
export function grantsOf(
  { steps }: PlanDocument,
  tools: ReadonlyMap<string, ToolSpec>,
  types: ReadonlyMap<string, AgentType> = new Map(),
): Record<string, ToolGrant> {
  const grants: Record<string, ToolGrant> = {};
  const calls = steps.flatMap((step) => (step.compensate === undefined ? [step] : [step, step.compensate]));
  for (const call of calls) {
    const spec = tools.get(call.tool);
    if (spec === undefined) continue;
    const grant = withAgent(grantOf(spec), call, types);
    grants[grant.agent === undefined ? call.tool : grantKey(call)] = grant;
  }
  return grants;
}

/** The grant of a call; with its agent's pool when its agent is an agent type. */
export function withAgent(
  grant: ToolGrant,
  { agent }: Pick<Call, "agent">,
  types: ReadonlyMap<string, AgentType>,
): ToolGrant {
  const type = agent === undefined ? undefined : types.get(agent);
  return agent === undefined || type === undefined
    ? grant
    : { ...grant, agent: { pool: poolOfType(agent, type) } };
}

/** Returns the properties of a tool that a plan's log needs to run a step with it. */
export function grantOf({ pool, risk, effect, timeoutMs, modelTokens, light, revises }: ToolSpec): ToolGrant {
  return {
    pool,
    risk,
    effect,
    timeoutMs,
    ...(modelTokens === undefined ? {} : { modelTokens }),
    ...(light === undefined ? {} : { light }),
    // A retry is only harmless if nothing is changed.
    ...(revises === true && effect === "read" ? { revises } : {}),
  };
}
