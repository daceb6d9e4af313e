/** A fact as people and programs outside see it. */
import { z } from "zod";
import { StepId } from "../ids.ts";
import { FactValue } from "./fact.ts";
import type { Fact } from "./fact-ledger.ts";

const FactRecordView = z.object({
  value: FactValue,
  confidence: z.number(),
  /** The step whose output says so. */
  stepId: StepId,
  item: z.int(),
  /** The artifact that holds that output whole. */
  artifact: z.string().optional(),
  /** Where in the output it stands. */
  source: z.string().optional(),
  at: z.string(),
});

export const FactView = z.object({
  key: z.string(),
  ...FactRecordView.shape,
  /** How often it was found. */
  claims: z.int(),
  /** What others say instead, and does not count: it is older, or less certain. */
  conflicts: z.array(FactRecordView),
});
export type FactView = z.infer<typeof FactView>;

export function factView({ key, current, claims, conflicts }: Fact): FactView {
  return { key, ...current, claims, conflicts: [...conflicts] };
}
