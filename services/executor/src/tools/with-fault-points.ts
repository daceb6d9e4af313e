import { currentFaults } from "@planwright/shared/faults";
import type { Tool } from "./define-tool.ts";

/** The tools; in a test that requests faults, with a fault point before and after each run. */
export function withFaultPoints(tools: readonly Tool[]): readonly Tool[] {
  const faults = currentFaults();
  if (faults === undefined) return tools;
  return tools.map((tool) => ({
    ...tool,
    async run(args, context) {
      const acts = tool.spec.effect !== "read";
      await faults.pass("tool.before-run");
      if (acts) await faults.pass("effect.before-run");
      const output = await tool.run(args, context);
      if (acts) await faults.pass("effect.after-run");
      await faults.pass("tool.after-run");
      return output;
    },
  }));
}
