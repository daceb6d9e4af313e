/**
 * A copy of a database in the memory of the process that runs the program. The program reads and changes it row by row and never
 * writes SQL; its changes are recorded.
 */
import { constants, DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { Cells, RowChange } from "@planwright/plan";
import { z } from "zod";
import { toCell, toSqlInput } from "../../changeset/cells.ts";
import { orderInserts } from "../../changeset/order-inserts.ts";
import { CHANGES_MAX } from "../../changeset/read-changeset.ts";
import { quote } from "../../sql/child/identifiers.ts";
import type { GuestDatabase, GuestTable } from "../program.ts";

const VALUE_BYTES_MAX = 8 * 1024 * 1024;

export type GuestTables = Disposable & {
  /**
   * `all [table]` returns the table's rows; `insert [table, row]` returns the row as stored; `update [table, oldRow, newRow]` and
   * `delete [table, row]` do the same for a row identified by its key. Arguments and results are JSON.
   *
   * @throws {Error} With a message for the program: the table, column or row does not exist, or a constraint is violated.
   */
  readonly call: (operation: string, json: string) => string;
  /**
   * The changes, with inserted rows in insertion order.
   *
   * @throws {PermanentError} `invalid_changeset` when it is too large.
   */
  readonly changeset: () => Uint8Array;
};

const Operation = z.enum(["all", "insert", "update", "delete"]);
const Named = z.tuple([z.string()], z.unknown());
const OneRow = z.tuple([z.string(), z.unknown()]);
const TwoRows = z.tuple([z.string(), z.unknown(), z.unknown()]);
/** Redefined here, because importing the plan package would need more memory than everything else. */
const AnyCell = z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.string() })]);

/** Opens the copy. */
export function openGuestTables({ bytes, tables }: GuestDatabase): GuestTables {
  const database = new DatabaseSync(":memory:", {
    readBigInts: true,
    limits: { length: VALUE_BYTES_MAX, attach: 0 },
  });
  // The size of the whole was checked before; its pages do not count as values.
  database.deserialize(bytes);
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
  const session = database.createSession();
  restrictTo(database, new Set(tables.map(({ name }) => name)));
  const byName = new Map(tables.map((table) => [table.name, table]));
  const rows = createRows(database);
  const added: string[] = [];
  let changes = 0;

  const tableOf = (name: string): GuestTable => {
    const table = byName.get(name);
    if (table !== undefined) return table;
    throw new Error(`there is no table ${JSON.stringify(name)}, there are: ${[...byName.keys()].join(", ")}`);
  };
  const run = (operation: z.infer<typeof Operation>, args: unknown): unknown => {
    const table = tableOf(Named.parse(args)[0]);
    if (operation === "all") return rows.all(table);
    changes += 1;
    if (changes > CHANGES_MAX) throw new Error(`more than ${CHANGES_MAX} rows are changed`);
    if (table.fixed !== undefined) throw new Error(`${table.name} is read-only: ${table.fixed}`);
    if (operation === "insert") {
      const row = rows.insert(table, readRow(table, OneRow.parse(args)[1]));
      added.push(nameOf(table, row));
      return row;
    }
    if (operation === "delete") return rows.remove(table, readRow(table, OneRow.parse(args)[1]));
    const [, before, after] = TwoRows.parse(args);
    return rows.update(table, readRow(table, before), readRow(table, after));
  };
  return {
    call: (operation, json) => JSON.stringify(run(Operation.parse(operation), JSON.parse(json))),
    changeset() {
      const columnsOf = (name: string) => byName.get(name)?.columns;
      const last = new Map(added.map((name, index) => [name, index]));
      const rankOf = ({ table, key }: RowChange) => last.get(JSON.stringify([table, key])) ?? 0;
      return orderInserts(session.changeset(), columnsOf, rankOf);
    },
    [Symbol.dispose]() {
      session.close();
      database.close();
    },
  };
}

/** Identifies a row as changes do: by its key columns in the table's order. */
function nameOf({ name, key }: GuestTable, row: Cells): string {
  return JSON.stringify([name, Object.fromEntries(key.map((column) => [column, row[column] ?? null]))]);
}

/** Validates a program's row: only the table's columns, and only values that a column can hold. */
function readRow({ name, columns }: GuestTable, said: unknown): Cells {
  const row = z.record(z.string(), z.unknown()).safeParse(said).data;
  if (row === undefined) throw new Error(`wanted a row of ${name}, an object of its columns`);
  const entries = Object.entries(row).map(([column, value]) => {
    if (!columns.includes(column))
      throw new Error(`${name} has no column ${JSON.stringify(column)}, it has: ${columns.join(", ")}`);
    const cell = AnyCell.safeParse(typeof value === "boolean" ? Number(value) : value).data;
    if (cell === undefined) throw new Error(`${name}.${column}: wanted a text, a number or null`);
    return [column, cell] as const;
  });
  return Object.fromEntries(entries);
}

function createRows(database: DatabaseSync) {
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
  const byKey = ({ key }: GuestTable) => key.map((column) => `${quote(column)} = ?`).join(" AND ");
  const keyValues = ({ name, key }: GuestTable, row: Cells) =>
    key.map((column) => {
      const cell = row[column];
      if (cell === undefined || cell === null)
        throw new Error(`a row of ${name} is identified by its ${column}`);
      return toSqlInput(cell);
    });
  const found = (table: GuestTable, row: Cells, changed: Record<string, SQLOutputValue> | undefined) => {
    if (changed !== undefined) return toCells(changed);
    const key = table.key.map((column) => JSON.stringify(row[column])).join(", ");
    throw new Error(`${table.name} has no row ${key}`);
  };
  return {
    all: ({ name }: GuestTable) =>
      prepared(`SELECT * FROM ${quote(name)}`)
        .all()
        .map(toCells),
    insert(table: GuestTable, row: Cells): Cells {
      const columns = Object.keys(row);
      const into = `INSERT INTO ${quote(table.name)}`;
      const sql =
        columns.length === 0
          ? `${into} DEFAULT VALUES RETURNING *`
          : `${into} (${columns.map(quote).join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) RETURNING *`;
      prepared("SAVEPOINT one_row").run();
      const stored = toCells(prepared(sql).get(...Object.values(row).map(toSqlInput)) ?? {});
      const missing = table.key.find((column) => (stored[column] ?? null) === null);
      if (missing !== undefined) prepared("ROLLBACK TO one_row").run();
      prepared("RELEASE one_row").run();
      // SQLite allows NULL in a key, but does not record changes of such a row.
      if (missing !== undefined) throw new Error(`a new row of ${table.name} needs its ${missing}`);
      return stored;
    },
    update(table: GuestTable, before: Cells, after: Cells): Cells {
      const own = keyValues(table, before);
      const moved = table.key.find(
        (column) =>
          Object.hasOwn(after, column) && JSON.stringify(after[column]) !== JSON.stringify(before[column]),
      );
      if (moved !== undefined) throw new Error(`${table.name}.${moved}: a primary key cannot be changed`);
      const columns = Object.keys(after).filter((column) => !table.key.includes(column));
      if (columns.length === 0) return { ...before };
      const sets = columns.map((column) => `${quote(column)} = ?`).join(", ");
      const sql = `UPDATE ${quote(table.name)} SET ${sets} WHERE ${byKey(table)} RETURNING *`;
      const values = columns.map((column) => toSqlInput(after[column] ?? null));
      return found(table, before, prepared(sql).get(...values, ...own));
    },
    remove(table: GuestTable, row: Cells): Cells {
      const sql = `DELETE FROM ${quote(table.name)} WHERE ${byKey(table)} RETURNING *`;
      return found(table, row, prepared(sql).get(...keyValues(table, row)));
    },
  };
}

function toCells(row: Record<string, SQLOutputValue>): Cells {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)]));
}

const ON_TABLES: ReadonlySet<number> = new Set([
  constants.SQLITE_READ,
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
]);
/** The pragmas that a session uses to inspect a table. */
const SESSION_PRAGMAS: ReadonlySet<string> = new Set(["table_info", "table_xinfo"]);

/** From now on, only rows of these tables can be read and changed. */
function restrictTo(database: DatabaseSync, tables: ReadonlySet<string>): void {
  database.setAuthorizer((action, first, second) => {
    const allowed =
      action === constants.SQLITE_SELECT ||
      action === constants.SQLITE_SAVEPOINT ||
      (ON_TABLES.has(action) && first !== null && tables.has(first)) ||
      (action === constants.SQLITE_FUNCTION && second !== "load_extension") ||
      (action === constants.SQLITE_PRAGMA && SESSION_PRAGMAS.has(first ?? ""));
    return allowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  });
}
