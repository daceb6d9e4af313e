/** What two sequences have in common, and what only one of them has: the difference of two texts. */
import { diffArrays } from "diff";

export type DiffPart<Item> = {
  /** `left`, `right`: only there. */
  readonly side: "both" | "left" | "right";
  readonly items: readonly Item[];
};

/** The search takes time with the square of the insertions and deletions: these are some 0.1 s, on the page's thread. */
const EDITS_MAX = 1_000;

/**
 * The parts of both, in order, with as few insertions and deletions as possible. Of what differs at one place, the left
 * part comes first.
 *
 * Pure, and total: where the sequences differ in too many places, what lies between the common beginning and the common
 * end is one part of each.
 */
export function diffSequences(left: readonly string[], right: readonly string[]): DiffPart<string>[] {
  const changes = diffArrays([...left], [...right], { maxEditLength: EDITS_MAX });
  if (changes === undefined) return commonEnds(left, right);
  return changes.map(({ added, removed, value }) => ({
    side: added ? "right" : removed ? "left" : "both",
    items: value,
  }));
}

function commonEnds(left: readonly string[], right: readonly string[]): DiffPart<string>[] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const parts: DiffPart<string>[] = [
    { side: "both", items: left.slice(0, start) },
    { side: "left", items: left.slice(start, left.length - end) },
    { side: "right", items: right.slice(start, right.length - end) },
    { side: "both", items: left.slice(left.length - end) },
  ];
  return parts.filter(({ items }) => items.length > 0);
}
