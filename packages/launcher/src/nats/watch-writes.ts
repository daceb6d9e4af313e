/**
 * A server whose disk was full does not write to a stream again that it once could not write to, however much room there is
 * later: only a restart helps. It says so in its log each time a client publishes there.
 */
import { open, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { natsFiles } from "./nats-config.ts";

const LOOK_EVERY_MS = 2_000;
/** Read at a time; what a server says in two seconds is far less. */
const LOG_BYTES_MAX = 256 * 1024;
/** A restart writes some files itself, and plans shall continue after it. */
const ROOM_BYTES = 4 * 1024 * 1024;
const CANNOT_WRITE =
  /critical write error|failed to store a msg|no space left on device|disk quota exceeded|JetStream.*(DISABLED|out of (disk )?space)/i;

/**
 * Resolves once the server has said that it cannot write and its disk takes files again, and so a restart helps.
 *
 * @param options.notBeforeMs - How long it waits at least; default not at all.
 * @throws When `signal` aborts.
 */
export async function untilWritesNeedRestart(
  storeDir: string,
  { signal, notBeforeMs = 0 }: { readonly signal: AbortSignal; readonly notBeforeMs?: number },
): Promise<void> {
  const { log } = natsFiles(storeDir);
  let read = await sizeOf(log);
  await delay(notBeforeMs, undefined, { signal });
  for (let hasFailed = false; ; ) {
    await delay(LOOK_EVERY_MS, undefined, { signal });
    const size = await sizeOf(log);
    // It began another file.
    if (size < read) read = 0;
    if (size > read) hasFailed ||= CANNOT_WRITE.test(await textBetween(log, read, size).catch(() => ""));
    read = size;
    if (hasFailed && (await takesFiles(storeDir))) return;
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function textBetween(file: string, from: number, to: number): Promise<string> {
  const start = Math.max(from, to - LOG_BYTES_MAX);
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - start), 0, to - start, start);
  return buffer.subarray(0, bytesRead).toString();
}

/** Whether there is room for a file of some size, found out by writing it. */
async function takesFiles(folder: string): Promise<boolean> {
  const file = path.join(folder, "room-for-writes");
  try {
    await writeFile(file, Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
    return true;
  } catch {
    return false;
  } finally {
    await rm(file, { force: true });
  }
}
