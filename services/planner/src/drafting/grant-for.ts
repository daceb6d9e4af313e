import { grantOf, type Step, type ToolGrant, type ToolSpec } from "@planwright/plan";

/**
 * What the log has to know of a step's tool to run the step with it.
 *
 * @throws {TypeError} When the tool is not offered: a step passes its check only with one that is.
 */
export function grantFor({ tool }: Pick<Step, "tool">, tools: ReadonlyMap<string, ToolSpec>): ToolGrant {
  const spec = tools.get(tool);
  if (spec === undefined) throw new TypeError(`wanted a tool that is offered, got ${tool}`);
  return grantOf(spec);
}
