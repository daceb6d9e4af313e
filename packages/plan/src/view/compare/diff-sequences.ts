/** What two sequences have in common, and what only one of them has: the difference of two texts. */

export type DiffPart<Item> = {
  /** `left`, `right`: only there. */
  readonly side: "both" | "left" | "right";
  readonly items: readonly Item[];
};

/** Above this many pairs of items to look at (16 MiB), what lies between the common ends is taken as all different. */
const CELLS_MAX = 4_000_000;

/**
 * The parts of both, in order, by a longest common subsequence (Wagner, Fischer 1974) of what lies between the common
 * beginning and the common end. Of what differs at one place, the left part comes first.
 *
 * Pure, and total: where the sequences are too long for that, the middle of each is one part.
 */
export function diffSequences(left: readonly string[], right: readonly string[]): DiffPart<string>[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  const longest = Math.min(left.length, right.length) - start;
  while (end < longest && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const parts = new Parts();
  parts.add("both", left.slice(0, start));
  const leftRest = left.slice(start, left.length - end);
  const rightRest = right.slice(start, right.length - end);
  if ((leftRest.length + 1) * (rightRest.length + 1) > CELLS_MAX) {
    parts.add("left", leftRest);
    parts.add("right", rightRest);
  } else walk(leftRest, rightRest, parts);
  parts.add("both", left.slice(left.length - end));
  return parts.all;
}

function walk(left: readonly string[], right: readonly string[], parts: Parts): void {
  const width = right.length + 1;
  const lengths = lengthsOf(left, right);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      parts.add("both", left.slice(row, row + 1));
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      parts.add("left", left.slice(row, row + 1));
      row += 1;
    } else {
      parts.add("right", right.slice(column, column + 1));
      column += 1;
    }
  }
  parts.add("left", left.slice(row));
  parts.add("right", right.slice(column));
}

/** Of each pair of places, how long the longest common subsequence of what follows is. */
function lengthsOf(left: readonly string[], right: readonly string[]): Uint32Array {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const cell = row * width + column;
      lengths[cell] =
        left[row] === right[column]
          ? (lengths[cell + width + 1] ?? 0) + 1
          : Math.max(lengths[cell + width] ?? 0, lengths[cell + 1] ?? 0);
    }
  }
  return lengths;
}

/** Collects parts; neighbours of one side become one. What is gone comes before what is new: the walk goes left first. */
class Parts {
  readonly all: { side: DiffPart<string>["side"]; items: string[] }[] = [];

  add(side: DiffPart<string>["side"], items: readonly string[]): void {
    if (items.length === 0) return;
    const last = this.all.at(-1);
    if (last?.side === side) last.items.push(...items);
    else this.all.push({ side, items: [...items] });
  }
}
