/** What a plan knows for certain, and which outputs it still waits to have looked at. */
import { List, Map } from "immutable";
import type { FactLedger } from "../facts/fact-ledger.ts";
import type { StepId } from "../values/ids.ts";

/** One attempt's output. */
export type OutputOf = { readonly stepId: StepId; readonly item: number; readonly attempt: number };

/** An output that is to be looked at. */
export type ToProcess = OutputOf & { readonly artifact?: string };

export type OpenQuestion = { readonly question: string; readonly stepId: StepId; readonly at: string };

export type Knowledge = {
  readonly facts: FactLedger;
  readonly questions: List<OpenQuestion>;
  /** By {@link outputKey}. */
  readonly processing: Map<string, ToProcess>;
  /** Claims for which the ledger had no room, and outputs that the budget left no look at. */
  readonly leftOut: number;
};

export const NO_KNOWLEDGE: Knowledge = { facts: Map(), questions: List(), processing: Map(), leftOut: 0 };

export function outputKey({ stepId, item, attempt }: OutputOf): string {
  return `${stepId}/${item}/${attempt}`;
}

/** The name under which the reserve of a look is held. */
export function processHolder(output: OutputOf): string {
  return `~facts/${outputKey(output)}`;
}

export function awaitsFacts({ knowledge }: { readonly knowledge: Knowledge }): boolean {
  return !knowledge.processing.isEmpty();
}
