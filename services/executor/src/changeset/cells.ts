/** Converts values between JSON and SQLite (opened with big integers). */
import type { SQLInputValue } from "node:sqlite";
import type { Cell } from "@planwright/plan";

/** Integers beyond 2^53 become text, and so do infinite numbers; bytes become base64. */
export function toCell(value: unknown): Cell {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  return typeof value === "string" ? value : null;
}

export function toSqlInput(cell: Cell): SQLInputValue {
  if (typeof cell === "object" && cell !== null) return Buffer.from(cell.base64, "base64");
  // SQLite would bind a number as REAL, and keep it as REAL in a column without a type.
  return Number.isSafeInteger(cell) ? BigInt(cell ?? 0) : cell;
}
