import { PermanentError } from "@planwright/shared/errors";
import type { Workspace } from "../tools/define-tool.ts";

const LISTED_MAX = 50;

/** @throws {PermanentError} `file_not_found`, naming the files that there are; `file_too_large`. */
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
