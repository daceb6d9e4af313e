/**
 * One system per data folder: two would run two nats-servers on one store. The lock is a listening socket,
 * which the operating system closes with its process, so that a crash leaves nothing that looks locked.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { realpath, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { makeWritable } from "./make-writable.ts";

const ANSWER_TIMEOUT_MS = 2_000;

export type FolderLock = AsyncDisposable & {
  /** From now on, whoever finds the folder taken is told where its system answers. */
  answersAt(url: string): void;
};

/**
 * Creates the folder where it is missing, and keeps it for this process.
 *
 * @throws {Error} When another process has it; the message names that process, and where it answers. When it is no
 *   folder, or one that cannot be written.
 */
export async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  await makeWritable(dataDir);
  // In the temporary folder, because the path of a socket is limited to about a hundred bytes.
  const id = createHash("sha256")
    .update(await realpath(dataDir))
    .digest("hex")
    .slice(0, 16);
  const socketPath = path.join(os.tmpdir(), `planwright-${id}.sock`);
  let place = "";
  const server = createServer((socket) => socket.end(`${process.pid}${place}`));
  if (!(await tookAddress(server, socketPath))) {
    const holder = await holderOf(socketPath);
    if (holder !== undefined) {
      throw new Error(
        `Planwright already runs on ${dataDir} (process ${holder}): use that one, stop it, or give this one a ` +
          "folder of its own with --data DIR",
      );
    }
    // What a process that was killed has left.
    await rm(socketPath, { force: true });
    server.listen(socketPath);
    await once(server, "listening");
  }
  server.unref();
  return {
    answersAt: (url) => void (place = `, at ${url}`),
    async [Symbol.asyncDispose]() {
      server.close();
      await rm(socketPath, { force: true });
    },
  };
}

/** Whether the server listens now. Tried before anybody is asked: of two that start together only one can. */
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

/** The process that listens on the socket, or undefined when none does. */
async function holderOf(socketPath: string): Promise<string | undefined> {
  const socket = connect(socketPath);
  try {
    const [answer] = (await once(socket, "data", { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })) as [
      Buffer,
    ]; // What a socket without encoding emits.
    return answer.toString();
  } catch (error) {
    const refused =
      error instanceof Error && "code" in error && /ENOENT|ECONNREFUSED/.test(String(error.code));
    return refused ? undefined : "that does not answer";
  } finally {
    socket.destroy();
  }
}
