import { grantOf, type Step, type ToolGrant, withAgent } from "@planwright/plan";
import type { DraftRequest } from "./draft-request.ts";

/**
 * What the log has to know of a step's tool, and of who runs it, to run the step.
 *
 * @throws {TypeError} When the tool is not offered: a step passes its check only with one that is.
 */
export function grantFor(
  call: Pick<Step, "tool" | "agent">,
  { tools, agents }: Pick<DraftRequest, "tools" | "agents">,
): ToolGrant {
  const spec = tools.get(call.tool);
  if (spec === undefined) throw new TypeError(`wanted a tool that is offered, got ${call.tool}`);
  const grant = grantOf(spec);
  return agents === undefined ? grant : withAgent(grant, call, agents.types);
}
