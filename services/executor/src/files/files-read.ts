import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { WorkspacePath } from "./workspace-path.ts";
import { defineTool, type Tool, type Workspace } from "../tools/define-tool.ts";

const CONTENT_BYTES_MAX = 4 * 1024 * 1024;

/** Reads one text file from the plan's workspace. */
export function filesRead(): Tool {
  return defineTool({
    name: "files.read",
    description:
      "Read a text file that an earlier step of this plan wrote; depend on that step. " +
      "Output: {path, content}.",
    input: z.strictObject({ path: WorkspacePath.describe("Path as written, such as report.md.") }),
    output: z.object({ path: z.string(), content: z.string() }),
    risk: "low",
    effect: "read",
    timeoutMs: 30_000,
    run: async ({ path }, { workspace }) => {
      const bytes = await findFile(workspace, { path, bytesMax: CONTENT_BYTES_MAX });
      return { path, content: decode(path, bytes) };
    },
  });
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PermanentError(`${path} is not text`, { code: "not_text", cause });
  }
}

const LISTED_MAX = 50;

/** @throws {PermanentError} `file_not_found`, listing the existing files; `file_too_large`. */
export async function findFile(
  workspace: Workspace,
  { path, bytesMax }: { readonly path: string; readonly bytesMax: number },
): Promise<Uint8Array> {
  const bytes = await workspace.read(path);
  if (bytes === undefined) throw await notFound(path, workspace);
  if (bytes.byteLength > bytesMax) {
    throw new PermanentError(`${path} has ${bytes.byteLength} bytes, the limit is ${bytesMax}`, {
      code: "file_too_large",
    });
  }
  return bytes;
}

async function notFound(path: string, workspace: Workspace): Promise<PermanentError> {
  const paths = await workspace.list();
  const known = paths.length === 0 ? "has no files yet" : `has: ${paths.slice(0, LISTED_MAX).join(", ")}`;
  return new PermanentError(`no file ${path}; this plan ${known}`, { code: "file_not_found" });
}
