/** Names of tools that the rules of plans know. Free of schemas, so that the page can load it. */
import type { Step } from "./plan-language.ts";

/** The tools that hold no worker: see `owner-tools.ts`. */
export const PLAN_RUN = "plan.run";
export const HUMAN_ASK = "human.ask";

/** Whether a step is run by the plan's owner, and not by a worker. */
export function isOwnerTool(tool: string): boolean {
  return tool === PLAN_RUN || tool === HUMAN_ASK;
}

/** The tool whose steps are loops: reason, act, observe, and again. */
export const AGENT_REACT = "agent.react";

/** By what the grant of a call is found in a submission: no tool's name has a slash in it. */
export function grantKey({ tool, agent }: Pick<Step, "tool" | "agent">): string {
  return agent === undefined ? tool : `${agent}/${tool}`;
}
