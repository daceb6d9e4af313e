/** The public view of a fact. */
import { z } from "zod";
import { StepId } from "../values/ids.ts";
import { FactValue } from "./fact.ts";
import type { Fact } from "./fact-ledger.ts";

const FactRecordView = z.object({
  value: FactValue,
  confidence: z.number(),
  stepId: StepId.meta({ description: "The step whose output contains the fact." }),
  item: z.int(),
  artifact: z.string().optional().meta({ description: "The artifact that contains the complete output." }),
  source: z.string().optional().meta({ description: "Position in the output." }),
  at: z.string(),
});

export const FactView = z.object({
  key: z.string(),
  ...FactRecordView.shape,
  claims: z.int().meta({ description: "Number of times the fact was found." }),
  conflicts: z
    .array(FactRecordView)
    .meta({ description: "Conflicting claims that are not used, because they are older or less certain." }),
});
export type FactView = z.infer<typeof FactView>;

export function factView({ key, current, claims, conflicts }: Fact): FactView {
  return { key, ...current, claims, conflicts: [...conflicts] };
}
