import { FactClaim } from "./fact.ts";
import { factKey } from "./fact-ledger.ts";

/** Maximum nesting depth of the lists. */
const LEVELS_MAX = 8;

/**
 * Merges lists of claims into one claim for each key: the later of two, unless the earlier one is more confident.
 * Values that are not claims are skipped, because the lists come from steps. Lists may be nested.
 *
 * @param claimsMax - Maximum number of claims; the most confident are kept.
 */
export function mergeClaims(lists: unknown, claimsMax: number): FactClaim[] {
  const merged = new Map<string, FactClaim>();
  for (const one of [lists].flat(LEVELS_MAX)) {
    const { data: claim } = FactClaim.safeParse(one);
    if (claim === undefined) continue;
    const known = merged.get(factKey(claim.key));
    if (known === undefined || claim.confidence >= known.confidence) merged.set(factKey(claim.key), claim);
  }
  const sorted = [...merged.values()].toSorted((left, right) => right.confidence - left.confidence);
  const kept = new Set(sorted.slice(0, claimsMax));
  return [...merged.values()].filter((claim) => kept.has(claim));
}
