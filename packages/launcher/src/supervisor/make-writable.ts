import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describeError } from "@planwright/shared/errors";

/** Why a folder cannot be used, in words, by the error's code. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "a part of its path is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it can only be read",
  // What Node says of a folder to make in one that can only be read.
  ENOENT: "it cannot be made there",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
};

/** More than a file system keeps in its directory, so that a full disk shows. */
const TRIAL_BYTES = 64 * 1024;

/**
 * Creates the data folder where it is missing, closes it to other users of the machine, and writes to it once.
 *
 * @throws {Error} When nothing can be kept there; the message says why, and what to do.
 */
export async function makeWritable(dataDir: string): Promise<void> {
  const trial = path.join(dataDir, `.trial-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    // One that an earlier version made is open; one that belongs to somebody else stays as that user wants it.
    await chmod(dataDir, 0o700).catch(() => undefined);
    await writeFile(trial, Buffer.alloc(TRIAL_BYTES));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new Error(
      `nothing can be kept in ${dataDir}: ${REASONS[code] ?? describeError(error)}. Make room for it, or name another folder with --data DIR`,
    );
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}
