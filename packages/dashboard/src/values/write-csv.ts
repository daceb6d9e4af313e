/** Writes CSV by RFC 4180, safe to open in a spreadsheet. */
export type CsvCell = string | number | null | undefined;

/** Spreadsheets run a cell with this start as a formula, even after spaces and line breaks. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

export function csvOf(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(value: CsvCell): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
