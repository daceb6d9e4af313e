/**
 * Allows one system per data folder: two would run two nats-servers on one store. The lock is a listening socket, which
 * the operating system closes with its process, so that a crash leaves no lock behind.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { describeError } from "@planwright/shared/errors";

/** Why a folder cannot be used, by the error's code. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "part of its path is a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  // Node's code when the parent folder is read-only.
  ENOENT: "it cannot be created there",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
};

/** More than a file system stores inline in a directory entry, so that a full disk is detected. */
const TRIAL_BYTES = 64 * 1024;

const ANSWER_TIMEOUT_MS = 2_000;

type FolderLock = AsyncDisposable & {
  /** Sets the address that is reported by a process that finds the folder locked. */
  answersAt(url: string): void;
};

/**
 * Creates the folder if it is missing, and locks it for this process.
 *
 * @throws {Error} When another process holds the lock; the message names that process and its address. When the path is
 *   not a folder, or is not writable.
 */
export async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  await makeWritable(dataDir);
  // In the temporary folder, because a socket's path is limited to about a hundred bytes.
  const id = createHash("sha256")
    .update(await realpath(dataDir))
    .digest("hex")
    .slice(0, 16);
  const socketPath = path.join(os.tmpdir(), `planwright-${id}.sock`);
  let address = "";
  const server = createServer((socket) => socket.end(`${process.pid}${address}`));
  if (!(await tookAddress(server, socketPath))) {
    const holder = await holderOf(socketPath);
    if (holder !== undefined) {
      throw new Error(
        `Planwright is already running on ${dataDir} (process ${holder}): use that one, stop it, or choose another ` +
          "data folder with --data DIR",
      );
    }
    // A killed process has left its socket file.
    await rm(socketPath, { force: true });
    server.listen(socketPath);
    await once(server, "listening");
  }
  server.unref();
  return {
    answersAt: (url) => void (address = `, at ${url}`),
    async [Symbol.asyncDispose]() {
      server.close();
      await rm(socketPath, { force: true });
    },
  };
}

/** Returns whether the server now listens. Trying it decides which of two simultaneous processes gets the lock. */
async function tookAddress(server: Server, socketPath: string): Promise<boolean> {
  try {
    server.listen(socketPath);
    await once(server, "listening");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
}

/** Returns the process that listens on the socket, or undefined when none does. */
async function holderOf(socketPath: string): Promise<string | undefined> {
  const socket = connect(socketPath);
  try {
    const [answer] = (await once(socket, "data", { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })) as [
      Buffer,
    ]; // Emitted by a socket without encoding.
    return answer.toString();
  } catch (error) {
    const refused =
      error instanceof Error && "code" in error && /ENOENT|ECONNREFUSED/.test(String(error.code));
    return refused ? undefined : "that does not respond";
  } finally {
    socket.destroy();
  }
}

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
