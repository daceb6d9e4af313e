/**
 * Ends its process when the parent is gone or the memory used up, also while the main thread is
 * inside a native call that no JavaScript can interrupt. V8's own limit does not see SQLite's memory.
 */
import { workerData } from "node:worker_threads";
import { OUT_OF_MEMORY_SIGNAL } from "./messages.ts";
import { WatchdogSettings } from "./watchdog-settings.ts";

const LOOK_EVERY_MS = 100;

const { parentPid, memoryBytesMax } = WatchdogSettings.parse(workerData);

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
  if (process.memoryUsage.rss() > memoryBytesMax) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL);
}, LOOK_EVERY_MS);
