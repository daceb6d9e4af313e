import type { Tool } from "../tools/define-tool.ts";
import type { Reuse } from "./create-reuse.ts";

/** The tools; those that say so answer an equal call of the same plan with what the first one gave. */
export function withReuse(tools: readonly Tool[], reuse: Reuse): readonly Tool[] {
  return tools.map((tool) => {
    const { reusableMs } = tool;
    if (reusableMs === undefined) return tool;
    return {
      ...tool,
      async run(args, context) {
        const { planId, attempt, feedback } = context;
        const isFresh = attempt > 1 || feedback !== undefined;
        const call = { planId, tool: tool.spec.name, args, reusableMs, isFresh };
        const { output, reused } = await reuse.run(call, () => tool.run(args, context));
        if (reused) {
          context.signal.throwIfAborted();
          context.noteReused?.();
        }
        return output;
      },
    };
  });
}
