/** The bundled sales table for tests. */
import { readFileSync } from "node:fs";
import { loadTable, type TableData } from "./load-table.ts";

export type SalesData = TableData;

const FILE = new URL("../../../../examples/data/sales.csv", import.meta.url);

/** Loads the CSV after `change` has modified its lines (the first is the header). */
export function loadSales(change: (line: string) => string = (line) => line): SalesData {
  // No field of this file is quoted.
  const [header = "", ...lines] = readFileSync(FILE, "utf8").trim().split("\n").map(change);
  return loadTable(
    "sales",
    header.split(","),
    lines.map((line) => line.split(",")),
  );
}
