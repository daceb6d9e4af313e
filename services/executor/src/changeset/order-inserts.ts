import type { RowChange } from "@planwright/plan";
import { type ColumnsOf, readTables } from "./read-changeset.ts";

/**
 * Sorts the inserted rows by rank. SQLite records them in hash order, and the executor that applies the changes stores rows in
 * recorded order, so without sorting the last row of a ledger would be arbitrary.
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
