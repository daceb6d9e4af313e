// One installation of a folder at a time. The lock is a listening socket, which the operating system closes with its
// process, so that nothing that was killed leaves a lock behind.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import process from "node:process";

/** A lock that cannot be had so often protects nobody. */
const ROUNDS_MAX = 100;

/**
 * Runs `run` while no other process does for the same folder, waiting for those that do.
 *
 * @param waiting - Called once, before the first wait.
 * @returns What `run` answers.
 */
export async function oneAtATime(root, { waiting, run }) {
  const address = addressOf(root);
  let told = false;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const lock = await listen(address);
    if (lock !== undefined) return whileLocked(lock, run);
    await untilGone(address, () => {
      if (!told) waiting();
      told = true;
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

/** In the temporary folder, because the path of a socket is limited to about a hundred bytes. */
function addressOf(root) {
  const name = `planwright-setup-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : path.join(os.tmpdir(), `${name}.sock`);
}

/** The lock, or undefined while another process has it. */
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
    // Without a temporary folder to lock in, there is no lock.
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

/** Waits until another process has the lock no more. What a killed one has left of it is removed. */
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
