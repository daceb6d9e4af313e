import type { SqlValue } from "../query-result.ts";

/** A value as SQLite gives it, as JSON can carry it. */
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
