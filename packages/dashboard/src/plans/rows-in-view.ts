/** Which rows of a long list are drawn. */
export const ROW_HEIGHT = 86;
/** Extra rows beyond the visible ones, so that scrolling shows no gaps. */
const BEYOND = 8;

export type Range = { readonly first: number; readonly end: number };

type Sight = {
  /** The start of the list, and the start and end of the visible area, in pixels from the same origin. */
  readonly listTop: number;
  readonly top: number;
  readonly bottom: number;
};

/** @returns The rows from `first` to before `end`. */
export function rowsInView({ listTop, top, bottom }: Sight, rows: number): Range {
  const first = Math.floor((top - listTop) / ROW_HEIGHT) - BEYOND;
  const end = Math.ceil((bottom - listTop) / ROW_HEIGHT) + BEYOND;
  return { first: Math.min(Math.max(0, first), rows), end: Math.max(0, Math.min(rows, end)) };
}

const KEYS: Readonly<Record<string, (row: number, rows: number, page: number) => number>> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row, _rows, page) => row + page,
  PageUp: (row, _rows, page) => row - page,
  Home: () => 0,
  End: (_row, rows) => rows - 1,
};

/** The row that a key leads to; undefined for keys that lead nowhere. */
export function rowAfterKey(key: string, row: number, { rows, page }: { rows: number; page: number }) {
  const move = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return move === undefined ? undefined : Math.max(0, Math.min(rows - 1, move(row, rows, page)));
}
