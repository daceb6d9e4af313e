import type { SqlValue } from "../query-result.ts";

/** Converts a SQLite value to one that JSON can represent. */
export function toJsonValue(value: unknown): SqlValue {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return `(${value.byteLength} bytes)`;
  return null;
}
