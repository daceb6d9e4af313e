import type { Json } from "../api/api-types.ts";

const DIGITS_MAX = 6;
/** Whole numbers below this are years, ids or counts: no separators. */
const GROUPED_MIN = 10_000;

/**
 * How a column shows its numbers: all with as many digits as the most exact of them has, so that they
 * line up. Undefined when not every value is a number (or nothing).
 */
export function columnFormat(values: readonly (Json | undefined)[]): Intl.NumberFormat | undefined {
  const present = values.filter((value) => value !== null && value !== undefined);
  const numbers = present.filter((value) => typeof value === "number");
  if (numbers.length === 0 || numbers.length < present.length) return undefined;
  const digits = Math.min(DIGITS_MAX, mostOf(numbers.map(fractionDigits)));
  const useGrouping = digits > 0 || numbers.some((number) => Math.abs(number) >= GROUPED_MIN);
  return new Intl.NumberFormat("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping,
  });
}

/** There may be more rows than a call has room for arguments. */
function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function fractionDigits(number: number): number {
  const text = String(number);
  // 1e-7 and 1e21 have no plain digits to count.
  if (text.includes("e")) return Math.abs(number) < 1 ? DIGITS_MAX : 0;
  return text.split(".")[1]?.length ?? 0;
}
