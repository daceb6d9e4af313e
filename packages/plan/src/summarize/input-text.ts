/** A long text that is submitted with a goal. */
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
    .meta({ description: "Maximum number of characters that one call reads." }),
  groupSize: z
    .int()
    .min(2)
    .max(20)
    .default(5)
    .meta({ description: "Number of summaries that one call combines." }),
});
export type InputText = z.infer<typeof InputText>;
