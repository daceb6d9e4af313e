/**
 * The ledger of facts: one entry for each key.
 *
 *   FACT-1. Of two claims about the same subject the newer one counts, unless the other is more confident.
 *   FACT-2. A claim that does not count stays visible next to the one that counts.
 *   FACT-3. A repeated claim only raises its confidence: to that of the more confident of the two.
 */
import type { Map } from "immutable";
import type { StepId } from "../values/ids.ts";
import type { FactClaim, FactValue } from "./fact.ts";

/** Maximum entries of one plan. */
export const FACTS_MAX = 1_000;
/** Maximum conflicting claims kept per current one; the most confident are kept. */
const CONFLICTS_MAX = 5;

/** Who made a claim, and when. */
export type ClaimOrigin = {
  readonly stepId: StepId;
  readonly item: number;
  /** The artifact that contains the output; absent when the output is in the log. */
  readonly artifact?: string;
  readonly at: string;
};

export type FactRecord = ClaimOrigin & {
  readonly value: FactValue;
  readonly confidence: number;
  readonly source?: string;
};

export type Fact = {
  /** The order in which facts became known, from 0. */
  readonly position: number;
  readonly key: string;
  readonly current: FactRecord;
  /** How often the current claim was made. */
  readonly claims: number;
  /** Most confident first. */
  readonly conflicts: readonly FactRecord[];
};

export type FactLedger = Map<string, Fact>;

/** Returns the ledger with one more claim; undefined if it has no room for another key. */
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

/** The facts in the order in which they became known. */
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

/** Normalizes a key: lower case, with one `_` for each run of spaces. */
export function factKey(key: string): string {
  return key.trim().toLowerCase().replaceAll(/\s+/g, "_");
}
