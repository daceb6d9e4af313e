import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { z } from "zod";
import type { QueryResult, SqlParams, SqlValue } from "../query-result.ts";
import { explainError, invalidSql } from "./describe-tables.ts";
import type { OpenedDatabase } from "./opened-database.ts";
import { toJsonValue } from "./to-json-value.ts";

const ROWS_MAX = 1_000;
const RESULT_BYTES_MAX = 1024 * 1024;

export type QueryText = { readonly sql: string; readonly params: SqlParams };

/** Runs one SELECT; see `SqlRunner.query` for its limits and errors. */
export function runQuery({ database }: OpenedDatabase, { sql, params }: QueryText): QueryResult {
  // SQLite would silently end the text there.
  if (sql.includes("\0")) throw invalidSql("wanted SQL without NUL characters");
  try {
    const statement = prepareOne(database, sql);
    checkParams(database, { sql, params });
    return collect(statement, params);
  } catch (error) {
    throw explainError(database, error);
  }
}

function prepareOne(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  // SQLite compiles only the first statement; the rest would silently be ignored.
  const rest = sql.slice(statement.sourceSQL.length);
  if (!isEmpty(database, rest)) throw invalidSql("wanted one statement, got more");
  if (statement.columns().length === 0) throw invalidSql("wanted a SELECT, got a statement without a result");
  return statement;
}

/** Whether only white space, semicolons and comments are left. */
function isEmpty(database: DatabaseSync, sql: string): boolean {
  try {
    database.prepare(sql);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.includes("contains no statements");
  }
}

/** SQLite treats a placeholder without a value as NULL, and the result is silently wrong. */
function checkParams(database: DatabaseSync, { sql, params }: QueryText): void {
  if (/^\s*explain\b/i.test(sql)) return;
  const numbers = placeholders(database, sql);
  const given = Array.isArray(params) ? params.length : Object.keys(params).length;
  // `?2` alone has number 2: with positional values it needs two.
  const wanted = Array.isArray(params) ? Math.max(0, ...numbers) : numbers.size;
  if (given !== wanted) throw invalidSql(`the query takes ${wanted} values, but params has ${given}`);
}

/** The compiled program reads each placeholder by its number, in its operand P1. */
function placeholders(database: DatabaseSync, sql: string): ReadonlySet<number> {
  const program = database.prepare(`EXPLAIN ${sql}`).all();
  const numbers = program.flatMap((row) => {
    const [, opcode, number] = z.tuple([z.unknown(), z.unknown(), z.unknown()], z.unknown()).parse(row);
    return opcode === "Variable" ? [Number(number)] : [];
  });
  return new Set(numbers);
}

function collect(statement: StatementSync, params: SqlParams): QueryResult {
  const columns = uniqueNames(statement.columns().map(({ name }) => name));
  const rows: Record<string, SqlValue>[] = [];
  let bytes = 0;
  for (const values of iterate(statement, params)) {
    const row = Object.fromEntries(columns.map((column, index) => [column, toJsonValue(values[index])]));
    bytes += JSON.stringify(row).length;
    // Leaving the loop ends the query.
    if (rows.length === ROWS_MAX || bytes > RESULT_BYTES_MAX)
      return { columns, rows, rowCount: rows.length, truncated: true };
    rows.push(row);
  }
  return { columns, rows, rowCount: rows.length, truncated: false };
}

function* iterate(statement: StatementSync, params: SqlParams): Generator<readonly unknown[]> {
  const rows = Array.isArray(params)
    ? statement.iterate(...params.map(toInput))
    : statement.iterate(
        Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toInput(value)])),
      );
  for (const row of rows) yield z.array(z.unknown()).parse(row);
}

function toInput(value: string | number | boolean | null): SQLInputValue {
  if (typeof value === "boolean") return BigInt(value);
  // SQLite would bind a number as REAL, and 7 / 2.0 is not 7 / 2.
  return Number.isSafeInteger(value) ? BigInt(value ?? 0) : value;
}

/** Two columns of the same name would share one key of the row: the second gets a number. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    // As a key it would set the row's prototype wherever the row is copied by assignment.
    const base = name === "__proto__" ? "proto" : name;
    let unique = base;
    for (let count = 2; taken.has(unique); count += 1) unique = `${base}_${count}`;
    taken.add(unique);
    return unique;
  });
}
