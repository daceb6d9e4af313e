// Changes a real database at random; the changes that are read must equal the actual differences.
import { DatabaseSync } from "node:sqlite";
import type { Cells, RowChange } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toCell } from "./cells.ts";
import { orderInserts } from "./order-inserts.ts";
import { readChangeset } from "./read-changeset.ts";

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  one: ["id", "n", "r", "t", "b", "any"],
  "tw o": ["a", "b", "value"],
};
const columnsOf = (table: string) => COLUMNS[table];
const SCHEMA = `
  CREATE TABLE one (id TEXT PRIMARY KEY, n INTEGER, r REAL, t TEXT, b BLOB, "any");
  CREATE TABLE "tw o" (a INTEGER, b INTEGER, value, PRIMARY KEY (b, a)) WITHOUT ROWID;
  INSERT INTO one VALUES ('k0', 1, 1.5, 'é', x'00ff', NULL), ('k1', 2, 2, '', x'', 'any'), ('k2', 3, -0.5, 'c', NULL, 7);
  INSERT INTO "tw o" VALUES (1, 1, 'x'), (1, 2, 3.25);`;

const value = fc.oneof(
  fc.constant(null),
  fc.integer().map(BigInt),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  fc.string({ unit: "grapheme", maxLength: 200 }).filter((text) => !text.includes("\0")),
  fc.uint8Array({ maxLength: 200 }),
);
const key = fc.constantFrom("k0", "k1", "k2", "k3", "k4");
const small = fc.integer({ min: 1, max: 3 });
const statement = fc.oneof(
  fc.tuple(key, value, value).map(([id, t, any]) => ({
    sql: `INSERT OR IGNORE INTO one (id, t, "any") VALUES (?, ?, ?)`,
    values: [id, t, any],
  })),
  fc.tuple(key, fc.constantFrom("n", "r", "t", "b", '"any"'), value).map(([id, column, given]) => ({
    sql: `UPDATE one SET ${column} = ? WHERE id = ?`,
    values: [given, id],
  })),
  key.map((id) => ({ sql: "DELETE FROM one WHERE id = ?", values: [id] })),
  fc.tuple(small, small, value).map(([a, b, given]) => ({
    sql: `INSERT INTO "tw o" VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
    values: [a, b, given],
  })),
  fc
    .tuple(small, small)
    .map(([a, b]) => ({ sql: `DELETE FROM "tw o" WHERE a = ? AND b = ?`, values: [a, b] })),
);

type Rows = ReadonlyMap<string, Cells>;

function rowsOf(database: DatabaseSync): Rows {
  const rows = new Map<string, Cells>();
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const row of database.prepare(`SELECT * FROM "${table}"`).all()) {
      const cells = Object.fromEntries(columns.map((name) => [name, toCell(row[name])]));
      const names = table === "one" ? ["id"] : ["a", "b"];
      const own = Object.fromEntries(names.map((name) => [name, cells[name] ?? null]));
      rows.set(JSON.stringify([table, own]), cells);
    }
  }
  return rows;
}

/** Applies the changes to the rows; also returns the changes that do not fit their rows. */
function applied(before: Rows, changes: readonly RowChange[]): { rows: Rows; misfits: readonly RowChange[] } {
  const rows = new Map(before);
  const misfits: RowChange[] = [];
  for (const change of changes) {
    const { table, op, key: own, before: old, after } = change;
    const name = JSON.stringify([table, own]);
    const row = rows.get(name);
    const wasThere = row !== undefined;
    const isAsTold = JSON.stringify({ ...row, ...old }) === JSON.stringify({ ...row });
    const isWhole = op !== "delete" || JSON.stringify(old) === JSON.stringify(row);
    if (wasThere === (op === "insert") || !isAsTold || !isWhole) misfits.push(change);
    if (after === null) rows.delete(name);
    else rows.set(name, { ...row, ...after });
  }
  return { rows, misfits };
}

/** The error code; undefined when nothing was thrown. */
function codeOf(read: () => unknown): unknown {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof PermanentError ? error.code : error;
  }
}

it("reads exactly the differences, in any order of the inserts", () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 12 }), (statements) => {
      using database = new DatabaseSync(":memory:", { readBigInts: true });
      database.exec(SCHEMA);
      const before = rowsOf(database);
      using session = database.createSession();
      for (const { sql, values } of statements) database.prepare(sql).run(...values);
      const bytes = session.changeset();
      const changes = readChangeset(bytes, columnsOf);
      const after = rowsOf(database);
      expect(applied(before, changes)).toEqual({ rows: after, misfits: [] });

      // Reversed, so that the recorded order cannot match by chance.
      const inserts = changes.filter(({ op }) => op === "insert").reverse();
      const names = inserts.map((change) => JSON.stringify([change.table, change.key]));
      const rank = (change: RowChange) => names.indexOf(JSON.stringify([change.table, change.key]));
      const ordered = orderInserts(bytes, columnsOf, rank);
      const reread = readChangeset(ordered, columnsOf);
      for (const table of Object.keys(COLUMNS)) {
        const of = (list: readonly RowChange[]) =>
          list.filter((one) => one.table === table && one.op === "insert");
        expect(of(reread)).toEqual(of(inserts));
      }
      using copy = new DatabaseSync(":memory:", { readBigInts: true });
      copy.exec(SCHEMA);
      expect(copy.applyChangeset(ordered)).toBe(true);
      expect(rowsOf(copy)).toEqual(after);
    }),
    { numRuns: 150 },
  );
});

it("rejects bytes that are not a changeset", () => {
  using database = new DatabaseSync(":memory:");
  database.exec(SCHEMA);
  using session = database.createSession();
  database.exec(`UPDATE one SET t = 'changed'; INSERT INTO "tw o" VALUES (3, 3, NULL)`);
  const real = session.changeset();
  fc.assert(
    fc.property(
      fc.nat(real.length - 1),
      fc.nat(255),
      fc.option(fc.nat(real.length)),
      (place, byte, length) => {
        const damaged = Uint8Array.from(real);
        damaged[place] = byte;
        const cut = length === null ? damaged : damaged.subarray(0, length);
        expect([undefined, "invalid_changeset"]).toContain(codeOf(() => readChangeset(cut, columnsOf)));
      },
    ),
  );
  expect(() => readChangeset(real, () => undefined)).toThrow("there is no table");
  expect(() => readChangeset(real, () => ["id"])).toThrow("columns");
  expect(() => readChangeset(Buffer.alloc(2_000_000), columnsOf)).toThrow("2000000 bytes of changes");
});
