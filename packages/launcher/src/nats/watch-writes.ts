/**
 * Detects a server that needs a restart to write again. Once a write to a stream has failed because the disk was full, the server
 * never writes to that stream again, however much space is freed, and logs this on each publish.
 */
import { open, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { natsFiles } from "./nats-config.ts";

const LOOK_EVERY_MS = 2_000;
/** Maximum bytes to read at a time; a server logs far less in two seconds. */
const LOG_BYTES_MAX = 256 * 1024;
/** The free space that a restart requires: it writes files itself, and plans must be able to continue. */
const ROOM_BYTES = 4 * 1024 * 1024;
const CANNOT_WRITE =
  /critical write error|failed to store a msg|no space left on device|disk quota exceeded|JetStream.*(DISABLED|out of (disk )?space)/i;

/**
 * Resolves once the server has logged that it cannot write and its disk has space again.
 *
 * @param options.notBeforeMs - The shortest time to wait; default 0.
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
    // The log was rotated.
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

/** Returns whether a file of {@link ROOM_BYTES} can be written. */
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
