/** A long text that a submission brings with it. */
import { z } from "zod";

/** About 250,000 tokens. */
export const INPUT_CHARS_MAX = 1_000_000;

export const InputText = z.strictObject({
  text: z.string().trim().min(1).max(INPUT_CHARS_MAX),
  chunkChars: z
    .int()
    .min(500)
    .max(100_000)
    .default(12_000)
    .meta({ description: "How many characters one call reads at most." }),
  groupSize: z
    .int()
    .min(2)
    .max(20)
    .default(5)
    .meta({ description: "How many summaries one call puts together." }),
});
export type InputText = z.infer<typeof InputText>;
