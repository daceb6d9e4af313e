// Allows one installation per folder at a time. The lock is a listening socket, which the operating system closes with its
// process, so that a killed process leaves no lock behind.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import process from "node:process";

/** After this many attempts, run without the lock. */
const ROUNDS_MAX = 100;

/**
 * Runs `run` once no other process is running it for the same folder.
 *
 * @param waiting - Called once, before the first wait.
 * @returns The result of `run`.
 */
export async function oneAtATime(root, { waiting, run }) {
  const address = addressOf(root);
  let hasReported = false;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const lock = await listen(address);
    if (lock !== undefined) return whileLocked(lock, run);
    await untilGone(address, () => {
      if (!hasReported) waiting();
      hasReported = true;
    });
  }
  return run();
}

async function whileLocked(lock, run) {
  try {
    return await run();
  } finally {
    lock.close();
  }
}

/** In the temporary folder, because a socket's path is limited to about a hundred bytes. */
function addressOf(root) {
  const name = `planwright-setup-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : path.join(os.tmpdir(), `${name}.sock`);
}

/** Returns the lock, or undefined while another process holds it. */
async function listen(address) {
  const held = new Set();
  const server = createServer((socket) => {
    held.add(socket.on("error", () => undefined).on("close", () => held.delete(socket)));
    socket.unref();
  });
  try {
    await once(server.listen(address), "listening");
  } catch (error) {
    if (error.code === "EADDRINUSE") return undefined;
    // Without a usable temporary folder, there is no lock.
    return { close: () => undefined };
  }
  server.unref();
  return {
    close() {
      server.close();
      for (const socket of held) socket.destroy();
    },
  };
}

/** Waits until another process has released the lock. Removes the socket file of a killed process. */
async function untilGone(address, waiting) {
  const socket = connect(address);
  try {
    await once(socket, "connect");
  } catch {
    rmSync(address, { force: true });
    return;
  }
  waiting();
  socket.on("error", () => undefined).resume();
  await once(socket, "close");
}
