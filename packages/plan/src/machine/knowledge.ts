/** The facts of a plan, and the outputs that are still to be processed for facts. */
import { List, Map } from "immutable";
import type { FactLedger } from "../facts/fact-ledger.ts";
import type { StepId } from "../values/ids.ts";

/** The output of one attempt. */
export type OutputOf = { readonly stepId: StepId; readonly item: number; readonly attempt: number };

/** An output to be processed for facts. */
export type ToProcess = OutputOf & { readonly artifact?: string };

export type OpenQuestion = { readonly question: string; readonly stepId: StepId; readonly at: string };

export type Knowledge = {
  readonly facts: FactLedger;
  readonly questions: List<OpenQuestion>;
  /** By {@link outputKey}. */
  readonly processing: Map<string, ToProcess>;
  /** Claims that did not fit into the ledger, and outputs that the budget left no room to process. */
  readonly leftOut: number;
};

export const NO_KNOWLEDGE: Knowledge = { facts: Map(), questions: List(), processing: Map(), leftOut: 0 };

export function outputKey({ stepId, item, attempt }: OutputOf): string {
  return `${stepId}/${item}/${attempt}`;
}

/** Returns the name under which the reserve for processing an output is held. */
export function processHolder(output: OutputOf): string {
  return `~facts/${outputKey(output)}`;
}

export function awaitsFacts({ knowledge }: { readonly knowledge: Knowledge }): boolean {
  return !knowledge.processing.isEmpty();
}
