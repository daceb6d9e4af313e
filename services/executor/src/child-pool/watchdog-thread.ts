/**
 * Ends its process when the parent is gone or the memory used up, also while the main thread is
 * inside a native call that no JavaScript can interrupt. V8's own limit does not see SQLite's memory.
 */
import { workerData } from "node:worker_threads";
import { OUT_OF_MEMORY_SIGNAL } from "./out-of-memory-signal.ts";
import type { WatchdogSettings } from "./watchdog-settings.ts";

const LOOK_EVERY_MS = 100;

// The starting thread has parsed them; a separate schema library would cost it more memory than all else.
const { parentPid, memoryBytesMax } = workerData as WatchdogSettings;

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
  if (process.memoryUsage.rss() > memoryBytesMax) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL);
}, LOOK_EVERY_MS);
