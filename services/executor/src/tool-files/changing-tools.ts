/** Tools that come and go while an executor runs, wherever they are from. */
import type { Tool } from "../tools/define-tool.ts";
import type { ToolFiles } from "./watch-tool-files.ts";

export type ChangingTools = Omit<ToolFiles, typeof Symbol.dispose>;

/** All of them as one; of two tools of one name, that of the first source stands. */
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
