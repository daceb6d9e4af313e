/**
 * Ends its process when the parent is gone or the memory limit is reached, even while the main thread is inside a native call
 * that JavaScript cannot interrupt. V8's own limit does not count SQLite's memory.
 */
import { workerData } from "node:worker_threads";
import { OUT_OF_MEMORY_SIGNAL } from "./out-of-memory-signal.ts";
import type { WatchdogSettings } from "./watchdog-settings.ts";

const LOOK_EVERY_MS = 100;

// The starting thread has validated them; loading the schema library again here would take more memory than the rest.
const { parentPid, memoryBytesMax } = workerData as WatchdogSettings;

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
  if (process.memoryUsage.rss() > memoryBytesMax) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL);
}, LOOK_EVERY_MS);
