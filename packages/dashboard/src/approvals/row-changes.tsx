/** Rows before and after, for arguments that contain table changes. */
import type { Json, JsonObject } from "../api/api-types.ts";
import { DataTable } from "../values/data-table.tsx";
import { isObject } from "../values/is-object.ts";
import { ROW_CHANGES } from "./approval-words.ts";

export type RowChange = {
  readonly table: string;
  readonly op: "insert" | "update" | "delete";
  readonly key: JsonObject;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
};

/** The changes in a value; empty if it is not a list of changes. */
export function rowChangesOf(value: Json | undefined): readonly RowChange[] {
  if (!Array.isArray(value)) return [];
  const changes = value.flatMap((entry) => readChange(entry));
  return changes.length === value.length ? changes : [];
}

export function RowChanges({ changes }: { changes: readonly RowChange[] }) {
  const tables = [...Map.groupBy(changes, ({ table }) => table)];
  return (
    <div className="grid grid-cols-1 gap-3">
      {tables.map(([table, rows]) => (
        <section key={table} aria-label={ROW_CHANGES.changesIn(table)}>
          <h4 className="mb-1.5 text-sm font-semibold text-soft">{table}</h4>
          <DataTable table={changesAsTable(rows)} />
        </section>
      ))}
    </div>
  );
}

/** One row per change: the operation, then each column, as `before → after` if it changes. */
export function changesAsTable(changes: readonly RowChange[]) {
  const names = new Set(
    changes.flatMap(({ key, before, after }) => Object.keys({ ...key, ...before, ...after })),
  );
  const columns = [...names];
  const rows = changes.map(({ op, key, before, after }) => [
    op,
    ...columns.map((name) => cellOf({ ...key, ...before }[name], { ...key, ...after }[name], op)),
  ]);
  return { columns: ["change", ...columns], rows, truncated: false };
}

function cellOf(before: Json | undefined, after: Json | undefined, op: RowChange["op"]): Json {
  if (op === "insert") return after ?? null;
  if (op === "delete" || after === undefined || after === before) return before ?? null;
  return `${wordsOf(before)} → ${wordsOf(after)}`;
}

function wordsOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readChange(entry: Json): RowChange[] {
  if (!isObject(entry)) return [];
  const { table, op, key, before, after } = entry;
  if (typeof table !== "string" || (op !== "insert" && op !== "update" && op !== "delete")) return [];
  return [{ table, op, key: asObject(key) ?? {}, before: asObject(before), after: asObject(after) }];
}

function asObject(value: Json | undefined): JsonObject | null {
  return isObject(value) ? value : null;
}
