import type { Json } from "../api/api-types.ts";
import type { Table } from "./table-of.ts";

const ROWS_MAX = 5_000;
const COLUMNS_MAX = 60;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/;

/**
 * A text of comma-separated values (RFC 4180, the first row the head) as a table; numbers become numbers.
 *
 * Linear. Undefined when there is nothing but a head, or when it is too wide to be read.
 */
export function parseCsv(text: string): Table | undefined {
  const rows = readRows(text);
  const [head, ...body] = rows;
  if (head === undefined || body.length === 0 || head.length > COLUMNS_MAX) return undefined;
  return {
    columns: head,
    rows: body.slice(0, ROWS_MAX).map((row) => head.map((_, index) => cellOf(row[index]))),
    truncated: body.length > ROWS_MAX,
  };
}

function cellOf(text: string | undefined): Json {
  if (text === undefined || text === "") return null;
  return NUMBER.test(text) ? Number(text) : text;
}

/** Of one row more than are shown, no more is read. */
function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let index = 0;
  while (index < text.length && rows.length <= ROWS_MAX + 1) {
    const [cell, end] = text[index] === '"' ? quotedAt(text, index) : plainAt(text, index);
    row.push(cell);
    index = end;
    if (text[index] === ",") {
      index += 1;
      if (index === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    index += text[index] === "\r" && text[index + 1] === "\n" ? 2 : 1;
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
}

type Cell = readonly [text: string, end: number];

function plainAt(text: string, start: number): Cell {
  let end = start;
  while (end < text.length && text[end] !== "," && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return [text.slice(start, end), end];
}

/** A quote inside is written twice; what stands between the last quote and the next comma belongs to the cell. */
function quotedAt(text: string, start: number): Cell {
  let cell = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return [cell + text.slice(from), text.length];
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const [rest, end] = plainAt(text, quote + 1);
      return [cell + rest, end];
    }
    cell += '"';
    from = quote + 2;
  }
}
