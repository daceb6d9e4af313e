/** The parts of a long list that are drawn one at a time. */

export type Part = {
  /** Rows from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
};

/**
 * Parts of `size` rows; the last one also has what is left over, so that it is never a handful of rows, and the parts
 * before it stay what they are while the list grows.
 *
 * @returns At least one, which has nothing when there are no rows.
 */
export function partsOf(rows: number, size: number): readonly Part[] {
  const parts = Math.max(1, Math.floor(rows / size));
  return Array.from({ length: parts }, (_, index) => ({
    first: index * size,
    end: index === parts - 1 ? rows : (index + 1) * size,
  }));
}

/** Which part has a row; the first one when there is no such row. */
export function partWith(row: number, parts: readonly Part[]): number {
  return Math.max(
    0,
    parts.findIndex(({ first, end }) => row >= first && row < end),
  );
}
