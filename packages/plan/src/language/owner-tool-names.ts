/** The tools that hold no worker, by name: see `owner-tools.ts`. */

export const PLAN_RUN = "plan.run";
export const HUMAN_ASK = "human.ask";

/** Whether a step is run by the plan's owner, and not by a worker. */
export function isOwnerTool(tool: string): boolean {
  return tool === PLAN_RUN || tool === HUMAN_ASK;
}
