const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const CENTS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A value in a sentence: `1,234`, `1,234.50`, text unchanged, and missing values by name. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "(no value)";
  if (typeof value === "number") return Number.isInteger(value) ? NUMBER.format(value) : CENTS.format(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "(no value)";
}

/** A value of a named column: a year is `2018`, not `2,018`, and a number that only names a row is unformatted. */
export function formatNamed(name: string, value: unknown): string {
  if (typeof value === "number" && /(?:^|_)(?:id|no|nr|number|code)$/i.test(name)) return String(value);
  const isYear = typeof value === "number" && Number.isInteger(value) && value >= 1_000 && value < 3_000;
  return isYear && /(?:^|_)years?(?:_|$)/i.test(name) ? String(value) : formatValue(value);
}

/** A change in percent with its sign: `+32.1%`. */
export function formatPercent(value: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(1)}%`;
}

/** A column or field name as words: `unit_price` → `unit price`. */
export function spokenName(name: string): string {
  return name.replace(/_/g, " ");
}

/** Truncates a text at a word near the limit and marks the cut. */
export function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > charsMax / 2 ? space : charsMax)} …`;
}
