/**
 * Divides room among texts: the smallest are served first, and what they leave is divided evenly among the larger ones.
 *
 * @param sizes - What each would take, in characters.
 * @param least - What each gets, whatever the others take.
 * @returns The room of each, in the order of `sizes`; together at most `room`, but for `least`.
 */
export function shareRoom(
  sizes: readonly number[],
  { room, least }: { readonly room: number; readonly least: number },
): readonly number[] {
  const shares = sizes.map(() => least);
  const smallestFirst = sizes
    .map((size, index) => ({ size, index }))
    .sort((one, other) => one.size - other.size);
  let left = room;
  for (const [place, { size, index }] of smallestFirst.entries()) {
    const given = Math.max(least, Math.min(size, Math.floor(left / (sizes.length - place))));
    shares[index] = given;
    left = Math.max(0, left - Math.min(size, given));
  }
  return shares;
}
