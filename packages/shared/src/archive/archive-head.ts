import { z } from "zod";

/** What the archive knows of a plan without its messages. */
export const ArchiveHead = z.object({
  format: z.literal(1),
  /** Stream sequences of the plan's first and last message. */
  first: z.int().positive(),
  last: z.int().positive(),
  messages: z.int().positive(),
  /** SHA-256 of all messages as lines of JSON. */
  digest: z.string(),
  /** Empty when the messages are beside the head itself. */
  parts: z.array(
    z.object({
      /** Stream sequence of its first message. */
      first: z.int().positive(),
      /** SHA-256 of its bytes, which is also its name. */
      digest: z.string(),
    }),
  ),
});
export type ArchiveHead = z.infer<typeof ArchiveHead>;
