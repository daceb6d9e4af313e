/** The UTC date of a time, such as `2026-03-01`. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, "2026-03-01".length);
}
