/** Milliseconds of a clock that all threads share and that is never set: only differences mean something. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
