import { z } from "zod";

/** What the thread that guards a child process must know. */
export const WatchdogSettings = z.object({
  parentPid: z.int().positive(),
  /** Of the whole process, native memory included. */
  memoryBytesMax: z.int().positive(),
});
export type WatchdogSettings = z.infer<typeof WatchdogSettings>;
