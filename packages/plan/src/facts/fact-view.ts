/** A fact as people and programs outside see it. */
import { z } from "zod";
import { StepId } from "../ids.ts";
import { FactValue } from "./fact.ts";
import type { Fact } from "./fact-ledger.ts";

const FactRecordView = z.object({
  value: FactValue,
  confidence: z.number(),
  stepId: StepId.meta({ description: "The step whose output says so." }),
  item: z.int(),
  artifact: z.string().optional().meta({ description: "The artifact that holds that output whole." }),
  source: z.string().optional().meta({ description: "Where in the output it stands." }),
  at: z.string(),
});

export const FactView = z.object({
  key: z.string(),
  ...FactRecordView.shape,
  claims: z.int().meta({ description: "How often it was found." }),
  conflicts: z
    .array(FactRecordView)
    .meta({ description: "Conflicting claims that do not count, because they are older or less certain." }),
});
export type FactView = z.infer<typeof FactView>;

export function factView({ key, current, claims, conflicts }: Fact): FactView {
  return { key, ...current, claims, conflicts: [...conflicts] };
}
