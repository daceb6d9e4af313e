import { z } from "zod";

/** Settings of the thread that guards a child process. */
export const WatchdogSettings = z.object({
  parentPid: z.int().positive(),
  /** Limit for the whole process, including native memory. */
  memoryBytesMax: z.int().positive(),
});
export type WatchdogSettings = z.infer<typeof WatchdogSettings>;
