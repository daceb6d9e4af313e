import { z } from "zod";
import { WorkspacePath } from "./workspace-path.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";

const FILES_MAX = 1_000;

const File = z.object({ path: z.string(), bytes: z.int().nonnegative(), contentType: z.string() });

/** Lists the plan's files. */
export function filesList(): Tool {
  return defineTool({
    name: "files.list",
    description: "List the files of this plan. Output: {files: [{path, bytes, contentType}], truncated}.",
    input: z.strictObject({
      folder: WorkspacePath.optional().describe("Only the files in this folder, such as out."),
    }),
    output: z.object({ files: z.array(File), truncated: z.boolean() }),
    risk: "low",
    effect: "read",
    timeoutMs: 30_000,
    run: async ({ folder }, { workspace }) => {
      const all = await workspace.files();
      const files = folder === undefined ? all : all.filter(({ path }) => path.startsWith(`${folder}/`));
      return { files: files.slice(0, FILES_MAX), truncated: files.length > FILES_MAX };
    },
  });
}
