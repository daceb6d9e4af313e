/**
 * The ledger of facts: one entry for each key.
 *
 *   FACT-1. Of two claims about the same thing the newer one counts, unless the other is more confident.
 *   FACT-2. What was claimed and does not count stays visible beside what counts.
 *   FACT-3. A claim that was made before only makes what it claims more certain: as certain as the more confident one.
 */
import type { Map } from "immutable";
import type { StepId } from "../values/ids.ts";
import type { FactClaim, FactValue } from "./fact.ts";

/** Entries of one plan. */
export const FACTS_MAX = 1_000;
/** Claims that do not count, beside one that does: the most confident ones. */
const CONFLICTS_MAX = 5;

/** Who claims something, and when. */
export type ClaimOrigin = {
  readonly stepId: StepId;
  readonly item: number;
  /** The artifact that holds the output that it was found in; absent when the output stands in the log. */
  readonly artifact?: string;
  readonly at: string;
};

export type FactRecord = ClaimOrigin & {
  readonly value: FactValue;
  readonly confidence: number;
  readonly source?: string;
};

export type Fact = {
  /** Order of coming to be known, from 0. */
  readonly position: number;
  readonly key: string;
  readonly current: FactRecord;
  /** How often what counts has been claimed. */
  readonly claims: number;
  /** The most confident first. */
  readonly conflicts: readonly FactRecord[];
};

export type FactLedger = Map<string, Fact>;

/** The ledger with one more claim; undefined when it has no room for another key. */
export function withClaim(ledger: FactLedger, claim: FactClaim, origin: ClaimOrigin): FactLedger | undefined {
  const key = factKey(claim.key);
  const { value, confidence, source } = claim;
  const record = { ...origin, value, confidence, ...(source === undefined ? {} : { source }) };
  const known = ledger.get(key);
  if (known === undefined) {
    return ledger.size < FACTS_MAX
      ? ledger.set(key, { key, position: ledger.size, current: record, claims: 1, conflicts: [] })
      : undefined;
  }
  return ledger.set(
    key,
    record.value === known.current.value ? confirm(known, record) : contest(known, record),
  );
}

/** The facts in the order in which they came to be known. */
export function factsOf({ knowledge }: { readonly knowledge: { readonly facts: FactLedger } }): Fact[] {
  return [...knowledge.facts.values()].sort((left, right) => left.position - right.position);
}

function confirm(known: Fact, record: FactRecord): Fact {
  const confidence = Math.max(record.confidence, known.current.confidence);
  return { ...known, claims: known.claims + 1, current: { ...record, confidence } };
}

function contest(known: Fact, newer: FactRecord): Fact {
  const same = known.conflicts.find(({ value }) => value === newer.value);
  const others = known.conflicts.filter((one) => one !== same);
  const record = { ...newer, confidence: Math.max(newer.confidence, same?.confidence ?? 0) };
  const wins = record.confidence >= known.current.confidence;
  const loser = wins ? known.current : record;
  const conflicts = [loser, ...others]
    .toSorted((left, right) => right.confidence - left.confidence)
    .slice(0, CONFLICTS_MAX);
  return wins ? { ...known, current: record, claims: 1, conflicts } : { ...known, conflicts };
}

/** The same for spellings that mean the same: lower case, with one `_` for each run of spaces. */
export function factKey(key: string): string {
  return key.trim().toLowerCase().replaceAll(/\s+/g, "_");
}
