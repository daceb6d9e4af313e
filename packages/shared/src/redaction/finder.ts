/** How a rule finds values to hide in a text. */

/** A part of a text: from `start` (inclusive) to `end` (exclusive). */
export type Place = { readonly start: number; readonly end: number };

/** Finds the parts of a text that a rule hides, from left to right, without overlap. */
export type Finder = (text: string) => Iterable<Place>;

/** A finder that looks only at texts that pass a quick test, which excludes most of them. */
export function findWhere(sign: RegExp, find: Finder): Finder {
  return (text) => (sign.test(text) ? find(text) : []);
}

/** The finder of a regular expression with the flag `g`; all its parts must be bounded, so that it takes linear time. */
export function findAll(pattern: RegExp): Finder {
  return function* (text) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (found !== "") yield { start: index, end: index + found.length };
    }
  };
}

/** The places of all the finders; of overlapping ones, the one that begins first, then the longest. */
export function findAny(finders: readonly Finder[]): Finder {
  return (text) => {
    const places = finders.flatMap((find) => [...find(text)]);
    return withoutOverlap(places);
  };
}

export function withoutOverlap(places: readonly Place[]): Place[] {
  const sorted = places.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const kept: Place[] = [];
  for (const place of sorted) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place);
  return kept;
}
