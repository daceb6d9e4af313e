/** Tools that can come and go while an executor runs, from any source. */
import type { Tool } from "../tools/define-tool.ts";
import type { ToolFiles } from "./watch-tool-files.ts";

export type ChangingTools = Omit<ToolFiles, typeof Symbol.dispose>;

/** Combines all sources; if two have a tool of the same name, the first source's is used. */
export function joinTools(sources: readonly ChangingTools[]): ChangingTools {
  return {
    tools() {
      const all = new Map<string, Tool>();
      for (const tool of sources.flatMap((source) => source.tools())) {
        if (!all.has(tool.spec.name)) all.set(tool.spec.name, tool);
      }
      return [...all.values()];
    },
    broken: () => sources.flatMap((source) => source.broken()),
    onChange: (heard) => {
      for (const source of sources) source.onChange(heard);
    },
  };
}
