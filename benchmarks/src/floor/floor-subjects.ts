/** The floor's streams: work in a work queue, results in a log, both stored in files, like the system's. */
export const FLOOR = {
  workStream: "FLOOR_WORK",
  logStream: "FLOOR_LOG",
  worker: "workers",
  work: "floor.work",
  log: "floor.log",
} as const;

export const DUPLICATE_WINDOW_NS = 120_000 * 1_000_000;
/** The size of every message in bytes: about that of a small step's work and result. */
export const PAYLOAD_BYTES = 256;
