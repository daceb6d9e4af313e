/** The floor's streams: work in a work queue, results in a log, both in files, like the system's. */
export const FLOOR = {
  workStream: "FLOOR_WORK",
  logStream: "FLOOR_LOG",
  worker: "workers",
  work: "floor.work",
  log: "floor.log",
} as const;

export const DUPLICATE_WINDOW_NS = 120_000 * 1_000_000;
/** Every message's size in bytes: about what a small step's work and result are. */
export const PAYLOAD_BYTES = 256;
