/** The documents of a folder: lists them without leaving the folder, and reads them one by one. */
import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { PermanentError } from "@planwright/shared/errors";

const FILES_MAX = 5_000;
const FILE_BYTES_MAX = 1024 * 1024;
const ALL_BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 16;
const NAME = /\.(?:md|markdown|txt)$/i;

export type DocFile = {
  /** Relative to the folder, with `/` as separator. */
  readonly path: string;
  readonly fullPath: string;
  /** Changes when the file's content may have changed. */
  readonly state: string;
};

export type DocsScan = {
  readonly files: readonly DocFile[];
  /** Total of all files. */
  readonly bytes: number;
  /** Why documents were left out, one sentence per limit reached. */
  readonly leftOut: readonly string[];
};

/**
 * Lists Markdown and text files, sorted by path; skips links and hidden entries.
 *
 * @throws {PermanentError} `docs_unavailable` when the folder does not exist.
 */
export async function scanDocsFolder(folder: string): Promise<DocsScan> {
  const files: DocFile[] = [];
  const leftOut = new Set<string>();
  let bytes = 0;

  async function walk(relative: string, full: string, depth: number): Promise<void> {
    if (depth > DEPTH_MAX) return void leftOut.add(`folders deeper than ${DEPTH_MAX} are not searched`);
    const entries = await readdir(full, { withFileTypes: true });
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      const fullPath = join(full, entry.name);
      // A link is neither, so it is not followed.
      if (entry.isDirectory()) await walk(path, fullPath, depth + 1);
      else if (entry.isFile() && NAME.test(entry.name)) await take(path, fullPath);
    }
  }

  async function take(path: string, fullPath: string): Promise<void> {
    if (files.length >= FILES_MAX) return void leftOut.add(`only the first ${FILES_MAX} files are searched`);
    const { size, mtimeMs, ino } = await stat(fullPath);
    if (size > FILE_BYTES_MAX)
      return void leftOut.add(`files above ${FILE_BYTES_MAX} bytes are not searched`);
    if (bytes + size > ALL_BYTES_MAX)
      return void leftOut.add(`only the first ${ALL_BYTES_MAX} bytes are searched`);
    bytes += size;
    files.push({ path, fullPath, state: `${ino} ${size} ${mtimeMs}` });
  }

  await walk("", await findFolder(folder), 0);
  return { files, bytes, leftOut: [...leftOut] };
}

async function findFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (cause) {
    throw new PermanentError("the folder of documents does not exist", { code: "docs_unavailable", cause });
  }
}

/** The text of a document, or `undefined` when it has been removed or replaced by a link since it was listed. */
export async function readDocFile({ fullPath }: DocFile): Promise<string | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(fullPath, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    // The file was removed; the next scan will not list it.
    return undefined;
  }
  await using file = handle;
  const bytes = Buffer.alloc(FILE_BYTES_MAX);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.byteLength - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return new TextDecoder("utf-8").decode(bytes.subarray(0, length));
}
