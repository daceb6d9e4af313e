import { forfeitReserve } from "./budget/budget-ledger.ts";
import { hintStop } from "./changes.ts";
import { processHolder } from "./knowledge.ts";
import type { NextPlan } from "./plan-state.ts";

/** Stops looking for facts, because the plan ends. */
export function dropProcessing(next: NextPlan): void {
  const { processing } = next.knowledge;
  if (processing.isEmpty()) return;
  for (const output of processing.values()) forfeitReserve(next, processHolder(output));
  next.knowledge = { ...next.knowledge, processing: processing.clear() };
  hintStop(next);
}
