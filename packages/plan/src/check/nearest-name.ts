import { distance as editDistance } from "fastest-levenshtein";

/** Names beyond this many are not looked at: a suggestion is a courtesy and must stay cheap. */
const CANDIDATES_MAX = 500;
const NAME_CHARS_MAX = 64;

/**
 * The candidate that a misspelt name most likely means; undefined when none is near.
 *
 * Near is about a third of the name's letters changed at most, upper and lower case being the same.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, NAME_CHARS_MAX).toLowerCase();
  let nearest: string | undefined;
  let best = Math.floor((wanted.length + 1) / 3) + 1;
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > CANDIDATES_MAX) break;
    const other = candidate.slice(0, NAME_CHARS_MAX).toLowerCase();
    if (Math.abs(other.length - wanted.length) >= best) continue;
    const distance = editDistance(wanted, other);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** `; did you mean "docs.search"?`, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}
