/** Names of tools that plan rules refer to. Has no schemas, so that the dashboard can load it. */
import type { Step } from "./plan-language.ts";

/** The tools that occupy no worker: see `owner-tools.ts`. */
export const PLAN_RUN = "plan.run";
export const HUMAN_ASK = "human.ask";

/** Whether the dispatcher runs a step, and not a worker. */
export function isOwnerTool(tool: string): boolean {
  return tool === PLAN_RUN || tool === HUMAN_ASK;
}

/** The tool whose steps are loops of reasoning, acting and observing. */
export const AGENT_REACT = "agent.react";

/** The key of a call's grant in a submission: tool names contain no slash. */
export function grantKey({ tool, agent }: Pick<Step, "tool" | "agent">): string {
  return agent === undefined ? tool : `${agent}/${tool}`;
}
