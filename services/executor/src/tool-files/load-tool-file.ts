import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { describeError } from "@planwright/shared/errors";
import { z } from "zod";
import type { Tool } from "../tools/define-tool.ts";

export type LoadedFile =
  | { readonly file: string; readonly tool: Tool }
  | { readonly file: string; readonly reason: string };

const ToolParts = z.object({ spec: z.object({}), run: z.function(), parseInput: z.function() });
/** What `defineTool` makes. */
const Made = z.custom<Tool>((value) => ToolParts.safeParse(value).success);
const ToolModule = z.object({ default: Made });

/** Reads the current file. What is wrong with it is the reason, never an error. */
export async function loadToolFile(file: string): Promise<LoadedFile> {
  try {
    const { mtimeMs } = await stat(file);
    // A module is read once for each address.
    const module: unknown = await import(`${pathToFileURL(file).href}?changed=${mtimeMs}`);
    const made = ToolModule.safeParse({ ...Object(module) }).data;
    if (made !== undefined) return { file, tool: made.default };
    return { file, reason: "wanted a tool as the default export: export default defineTool({…})" };
  } catch (error) {
    return { file, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return describeError(error);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
