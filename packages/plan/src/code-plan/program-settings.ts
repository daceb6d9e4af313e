import { z } from "zod";

export const ProgramSettings = z.strictObject({
  language: z.enum(["javascript", "typescript", "python"]).default("javascript").meta({
    description:
      "Language in which the model should write the program. If the reply names another language, the program runs in that one.",
  }),
});
export type ProgramSettings = z.infer<typeof ProgramSettings>;
