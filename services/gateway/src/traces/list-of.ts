import { z } from "zod";

/**
 * A list of at most so many; absent, it is empty. One that is longer is refused before anything in it is looked at:
 * a fault for each of millions of entries would take more memory than there is.
 */
export function listOf<Entry extends z.ZodType>(Entry: Entry, max: number) {
  return z.array(z.unknown()).max(max).pipe(z.array(Entry)).default([]);
}
