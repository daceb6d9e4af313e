import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { WorkspacePath } from "../files/workspace-path.ts";
import { defineTool, type Tool, type Workspace } from "./define-tool.ts";

const CONTENT_BYTES_MAX = 4 * 1024 * 1024;
const LISTED_MAX = 50;

/** Reads one text file of the plan's own workspace. */
export function filesRead(): Tool {
  return defineTool({
    name: "files.read",
    description:
      "Read a text file that an earlier step of this plan wrote; it cannot read anything else. " +
      'Output: {"path": "report.md", "content": "..."}; refer to it as {"$ref": "s2.output.content"}. ' +
      "Let the step depend on the one that writes the file.",
    input: z.strictObject({ path: WorkspacePath.describe("The path as it was written, such as report.md.") }),
    output: z.object({ path: z.string(), content: z.string() }),
    risk: "low",
    effect: "read",
    timeoutMs: 30_000,
    run: async ({ path }, { workspace }) => {
      const bytes = await workspace.read(path);
      if (bytes === undefined) throw await notFound(path, workspace);
      if (bytes.byteLength > CONTENT_BYTES_MAX) {
        throw new PermanentError(`${path} has ${bytes.byteLength} bytes, the limit is ${CONTENT_BYTES_MAX}`, {
          code: "file_too_large",
        });
      }
      return { path, content: decode(path, bytes) };
    },
  });
}

async function notFound(path: string, workspace: Workspace): Promise<PermanentError> {
  const paths = await workspace.list();
  const known = paths.length === 0 ? "has no files yet" : `has: ${paths.slice(0, LISTED_MAX).join(", ")}`;
  return new PermanentError(`no file ${path}; this plan ${known}`, { code: "file_not_found" });
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PermanentError(`${path} is not text`, { code: "not_text", cause });
  }
}
