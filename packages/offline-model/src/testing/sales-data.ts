/** The bundled sales table as tests need it. */
import { readFileSync } from "node:fs";
import { loadTable, type TableData } from "./load-table.ts";

export type SalesData = TableData;

const FILE = new URL("../../../../examples/data/sales.csv", import.meta.url);

/** Loads the CSV, after `change` has had its way with its lines (the header is the first). */
export function loadSales(change: (line: string) => string = (line) => line): SalesData {
  // No field of this file is quoted.
  const [header = "", ...lines] = readFileSync(FILE, "utf8").trim().split("\n").map(change);
  return loadTable(
    "sales",
    header.split(","),
    lines.map((line) => line.split(",")),
  );
}
