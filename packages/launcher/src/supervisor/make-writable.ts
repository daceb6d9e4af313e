import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describeError } from "@planwright/shared/errors";

/** Why a folder cannot be used, by the error's code. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "part of its path is a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  // Node's code for creating a folder in a read-only one.
  ENOENT: "it cannot be created there",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
};

/** More than a file system stores inline in a directory entry, so that a full disk is detected. */
const TRIAL_BYTES = 64 * 1024;

/**
 * Creates the data folder if it is missing, makes it private to this user, and tests that it is writable.
 *
 * @throws {Error} When it is not writable; the message says why and how to fix it.
 */
export async function makeWritable(dataDir: string): Promise<void> {
  const trial = path.join(dataDir, `.trial-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    // An earlier version created open folders. A folder that belongs to another user keeps its mode.
    await chmod(dataDir, 0o700).catch(() => undefined);
    await writeFile(trial, Buffer.alloc(TRIAL_BYTES));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new Error(
      `cannot write to the data folder ${dataDir}: ${REASONS[code] ?? describeError(error)}. Fix this, or choose another folder with --data DIR`,
    );
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}
