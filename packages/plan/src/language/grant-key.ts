import type { Step } from "./plan-language.ts";

/** By what the grant of a call is found in a submission: no tool's name has a slash in it. */
export function grantKey({ tool, agent }: Pick<Step, "tool" | "agent">): string {
  return agent === undefined ? tool : `${agent}/${tool}`;
}
