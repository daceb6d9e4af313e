import type { RowChange } from "@planwright/plan";
import { type ColumnsOf, readTables } from "./read-changeset.ts";

/**
 * Puts the rows that are added into the order of their rank. SQLite records them in the order of a hash, and an executor that
 * applies the changes gives the rows their places in that order: the last row of a ledger would be any one of them.
 *
 * @param rankOf - Lower comes first.
 */
export function orderInserts(
  bytes: Uint8Array,
  columnsOf: ColumnsOf,
  rankOf: (change: RowChange) => number,
): Uint8Array {
  const pieces = readTables(bytes, columnsOf).flatMap(({ head, changes }) => {
    const ranked = changes.map((read) => ({
      ...read,
      rank: read.change.op === "insert" ? rankOf(read.change) : -1,
    }));
    return [head, ...ranked.toSorted((left, right) => left.rank - right.rank)];
  });
  return Buffer.concat(pieces.map(({ from, to }) => bytes.subarray(from, to)));
}
