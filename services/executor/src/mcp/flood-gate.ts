/** Limits how much a server can send within one window: more would keep this process from all other work. */
const WINDOW_MS = 10_000;
const BYTES_MAX = 32 * 1024 * 1024;
const LINES_MAX = 5_000;
const NEWLINE = 0x0a;

export class FloodError extends Error {
  override readonly name = "FloodError";
}

export type FloodGate = {
  /** @throws {FloodError} When the limit is exceeded. */
  pass(chunk: Uint8Array): void;
};

/** Counts bytes and lines: a message is one or a few lines. */
export function createFloodGate(nowMs: () => number): FloodGate {
  let sinceMs = nowMs();
  let bytes = 0;
  let lines = 0;
  return {
    pass(chunk) {
      if (nowMs() - sinceMs > WINDOW_MS) {
        sinceMs = nowMs();
        bytes = 0;
        lines = 0;
      }
      bytes += chunk.byteLength;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
      if (bytes <= BYTES_MAX && lines <= LINES_MAX) return;
      throw new FloodError(
        `it sent more than ${BYTES_MAX} bytes or ${LINES_MAX} lines within ${WINDOW_MS / 1_000} seconds`,
      );
    },
  };
}
