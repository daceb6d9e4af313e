import { distance as editDistance } from "fastest-levenshtein";

/** Names beyond this number are ignored: suggestions are optional and must stay cheap. */
const CANDIDATES_MAX = 500;
const NAME_CHARS_MAX = 64;

/**
 * Returns the candidate that a misspelt name most likely means; undefined if none is near.
 *
 * Near means that at most about a third of the name's letters differ, ignoring case.
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

/** Returns `; did you mean "docs.search"?`, or an empty text if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}
