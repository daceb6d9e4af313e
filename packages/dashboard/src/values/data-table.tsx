import { useState } from "react";
import type { Json } from "../api/api-types.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { IconButton } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { columnFormat } from "./number-format.ts";
import type { Table } from "./table-of.ts";
import { DATA_TABLE } from "./value-words.ts";
import styles from "./values.module.css";

const PAGE_ROWS = 20;
const CELL_CHARS_MAX = 300;

/** Rows and columns, numbers to the right; it scrolls inside its place when it is wide. */
export function DataTable({ table: { columns, rows, truncated } }: { table: Table }) {
  const [page, setPage] = useState(0);
  const formats = columns.map((_, index) => columnFormat(rows.map((row) => row[index])));
  const classOf = (index: number) => (formats[index] === undefined ? undefined : "number");
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  // The table may have become shorter.
  const current = Math.min(page, pages - 1);
  const first = current * PAGE_ROWS;
  const shown = rows.slice(first, first + PAGE_ROWS);
  return (
    <figure className={styles.dataTable}>
      <ScrollTable
        label={DATA_TABLE.table}
        head={columns.map((column, index) => (formats[index] === undefined ? column : { number: column }))}
      >
        {shown.map((row, index) => (
          // Rows have no ID and never change their order.
          <tr key={first + index}>
            {columns.map((_, column) => (
              <td key={column} className={classOf(column)}>
                {cellText(row[column], formats[column])}
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
      <figcaption>
        {formatCount(rows.length, "row")}
        {truncated && DATA_TABLE.truncatedByTheTool}
        {pages > 1 && (
          <span className={styles.tablePages}>
            <IconButton
              icon="back"
              size={13}
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
              className={styles.tableNext}
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

function cellText(value: Json | undefined, format: Intl.NumberFormat | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" && format !== undefined) return format.format(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
}
