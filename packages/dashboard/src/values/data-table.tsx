import { useState } from "react";
import type { Json } from "../api/api-types.ts";
import { formatCount } from "../ui/format.ts";
import { columnFormat } from "./number-format.ts";
import type { Table } from "./table-of.ts";

const ROWS_SHOWN = 20;
const ROWS_MAX = 1_000;
const CELL_CHARS_MAX = 300;

/** Rows and columns, numbers to the right; it scrolls inside its place when it is wide. */
export function DataTable({ table: { columns, rows, truncated } }: { table: Table }) {
  const [all, setAll] = useState(false);
  const formats = columns.map((_, index) => columnFormat(rows.map((row) => row[index])));
  const classOf = (index: number) => (formats[index] === undefined ? undefined : "number");
  const shown = rows.slice(0, all ? ROWS_MAX : ROWS_SHOWN);
  return (
    <figure className="data-table">
      <div className="scroll-x" tabIndex={0} role="group" aria-label="Table">
        <table className="table">
          <thead>
            <tr>
              {columns.map((column, index) => (
                // Two columns may have one name; all keep their places.
                <th key={index} scope="col" className={classOf(index)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // Rows have no identity of their own, and never change their order.
              <tr key={index}>
                {columns.map((_, column) => (
                  <td key={column} className={classOf(column)}>
                    {cellText(row[column], formats[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption>
        {formatCount(rows.length, "row")}
        {truncated && ", more were left out by the tool"}
        {rows.length > shown.length && !all && (
          <button type="button" className="button button-quiet" onClick={() => setAll(true)}>
            Show all
          </button>
        )}
      </figcaption>
    </figure>
  );
}

function cellText(value: Json | undefined, format: Intl.NumberFormat | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && format !== undefined) return format.format(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
}
