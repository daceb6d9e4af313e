import type { ToolSpec } from "@planwright/plan";
import type { Tool } from "./define-tool.ts";

export type Toolbox = {
  /** `undefined` when no tool has that name. */
  readonly get: (name: string) => Tool | undefined;
  /** In the order in which the tools were passed. */
  readonly specs: () => readonly ToolSpec[];
};

/**
 * The tools of one executor, by name.
 *
 * @param more - Returns additional tools, evaluated at each call; their names must be unique.
 * @throws {RangeError} When two tools share a name.
 */
export function createToolbox(tools: readonly Tool[], more: () => readonly Tool[] = () => []): Toolbox {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.spec.name)) throw new RangeError(`two tools are named ${tool.spec.name}`);
    byName.set(tool.spec.name, tool);
  }
  const specs = tools.map((tool) => tool.spec);
  return {
    get: (name) => byName.get(name) ?? more().find(({ spec }) => spec.name === name),
    specs: () => [...specs, ...more().map(({ spec }) => spec)],
  };
}
