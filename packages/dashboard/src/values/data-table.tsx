import clsx from "clsx";
import { useState } from "react";
import type { Json } from "../api/api-types.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { IconButton } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import type { Table } from "./table-of.ts";
import { DATA_TABLE } from "./value-words.ts";

const PAGE_ROWS = 20;
const CELL_CHARS_MAX = 300;
const SHORT_CHARS_MAX = 24;

/** Rows and columns, with numbers right-aligned; scrolls inside its container when it is wide. */
export function DataTable({ table: { columns, rows, truncated } }: { table: Table }) {
  const [page, setPage] = useState(0);
  const formats = columns.map((_, index) => columnFormat(rows.map((row) => row[index])));
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  // The table may have become shorter.
  const current = Math.min(page, pages - 1);
  const first = current * PAGE_ROWS;
  const shown = rows.slice(first, first + PAGE_ROWS);
  return (
    <figure className="w-fit max-w-full min-w-[min(460px,100%)]">
      <ScrollTable
        className="rounded-md border border-line"
        label={DATA_TABLE.table}
        head={columns.map((column, index) => (formats[index] === undefined ? column : { number: column }))}
      >
        {shown.map((row, index) => (
          // Rows have no ID and never change their order.
          <tr key={first + index}>
            {columns.map((_, column) => (
              <Cell key={column} value={row[column]} format={formats[column]} />
            ))}
          </tr>
        ))}
      </ScrollTable>
      <figcaption className="flex min-h-6.5 items-center px-0.5 pt-0.5 text-xs text-faint">
        {formatCount(rows.length, "row")}
        {truncated && DATA_TABLE.truncatedByTheTool}
        {pages > 1 && (
          <span className="ml-3 inline-flex items-center gap-1 tabular-nums">
            <IconButton
              icon="back"
              size={13}
              className="disabled:opacity-40"
              label={DATA_TABLE.previousRows}
              disabled={current === 0}
              onClick={() => setPage(current - 1)}
            />
            <span aria-live="polite">
              {first + 1}–{first + shown.length}
            </span>
            <IconButton
              icon="back"
              size={13}
              className="rotate-180 disabled:opacity-40"
              label={DATA_TABLE.nextRows}
              disabled={current === pages - 1}
              onClick={() => setPage(current + 1)}
            />
          </span>
        )}
      </figcaption>
    </figure>
  );
}

type CellProps = { readonly value: Json | undefined; readonly format: Intl.NumberFormat | undefined };

/** A short text stays on one line: the table scrolls instead. */
function Cell({ value, format }: CellProps) {
  const text = cellText(value, format);
  const isShort = text.length <= SHORT_CHARS_MAX;
  return <td className={clsx(format !== undefined && "number", isShort && "whitespace-nowrap")}>{text}</td>;
}

function cellText(value: Json | undefined, format: Intl.NumberFormat | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && format !== undefined) return format.format(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
}

const DIGITS_MAX = 6;
/** Whole numbers below this are years, ids or counts: no separators. */
const GROUPED_MIN = 10_000;

/**
 * How a column shows its numbers: all with as many digits as the most precise one, so that they
 * line up. Undefined when not every value is a number (or null).
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

/** Does not spread the values: there can be more rows than a call can have arguments. */
function mostOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function fractionDigits(number: number): number {
  const text = String(number);
  // 1e-7 and 1e21 have no plain digits to count.
  if (text.includes("e")) return Math.abs(number) < 1 ? DIGITS_MAX : 0;
  return text.split(".")[1]?.length ?? 0;
}
