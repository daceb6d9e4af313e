/** Milliseconds of a monotonic clock shared by all threads: only differences are meaningful. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
