import { z } from "zod";

export const ProgramSettings = z.strictObject({
  language: z.enum(["javascript", "typescript", "python"]).default("javascript").meta({
    description: "What the program is asked for in; a reply that names another language is run as that.",
  }),
});
export type ProgramSettings = z.infer<typeof ProgramSettings>;
