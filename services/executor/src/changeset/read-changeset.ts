/**
 * Reads a changeset of a SQLite session, in the format documented at https://sqlite.org/session.html: for each table a header,
 * then its changes, each with the row's values before, after, or both.
 *
 * Also loaded by the sandbox's children, whose memory is small: imports only types from the plan package.
 *
 * The bytes may come from a program, so every length is checked against the remaining bytes before use.
 */
import type { Cell, Cells, RowChange } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { toCell } from "./cells.ts";

export const CHANGESET_BYTES_MAX = 16 * 1024;
export const CHANGES_MAX = 1_000;
const COLUMNS_MAX = 2_000;

const TABLE = 0x54;
const OPS = new Map<number, RowChange["op"]>([
  [9, "delete"],
  [18, "insert"],
  [23, "update"],
]);

/** A change and its position in the bytes. */
export type ReadChange = { readonly change: RowChange; readonly from: number; readonly to: number };

/** The changes of one table; the same table can occur several times. */
export type ChangedTable = {
  readonly head: { readonly from: number; readonly to: number };
  readonly table: string;
  readonly changes: readonly ReadChange[];
};

/** The column names of a table, in order; undefined when the table does not exist. */
export type ColumnsOf = (table: string) => readonly string[] | undefined;

/**
 * @throws {PermanentError} `invalid_changeset` when the bytes are not a changeset, or have more than {@link CHANGES_MAX} changes.
 */
export function readChangeset(bytes: Uint8Array, columnsOf: ColumnsOf): RowChange[] {
  return readTables(bytes, columnsOf).flatMap(({ changes }) => changes.map(({ change }) => change));
}

/** Like `readChangeset`, with the position of everything. */
export function readTables(bytes: Uint8Array, columnsOf: ColumnsOf): ChangedTable[] {
  if (bytes.length > CHANGESET_BYTES_MAX)
    throw invalid(`${bytes.length} bytes of changes, the limit is ${CHANGESET_BYTES_MAX}`);
  const reader = new ByteReader(bytes);
  const tables: ChangedTable[] = [];
  let left = CHANGES_MAX;
  while (!reader.isAtEnd) {
    const table = readTable(reader, columnsOf, left);
    left -= table.changes.length;
    tables.push(table);
  }
  return tables;
}

type Columns = {
  readonly table: string;
  readonly names: readonly string[];
  readonly isKey: readonly boolean[];
};

function readTable(reader: ByteReader, columnsOf: ColumnsOf, changesMax: number): ChangedTable {
  const from = reader.at;
  if (reader.byte() !== TABLE) throw invalid("wanted the head of a table");
  const count = reader.varint();
  if (count > COLUMNS_MAX) throw invalid(`a table of ${count} columns`);
  const isKey = Array.from(reader.take(count), (flag) => flag !== 0);
  const table = reader.textUntilZero();
  const names = columnsOf(table);
  if (names === undefined) throw invalid(`there is no table ${JSON.stringify(table)}`);
  if (names.length !== count)
    throw invalid(`${table} has ${names.length} columns, the changes have ${count}`);
  if (!isKey.includes(true)) throw invalid(`${table} has no primary key`);
  const head = { from, to: reader.at };
  const changes: ReadChange[] = [];
  while (!reader.isAtEnd && reader.peek() !== TABLE) {
    if (changes.length >= changesMax) throw invalid(`more than ${CHANGES_MAX} rows change`);
    const begin = reader.at;
    const change = readChange(reader, { table, names, isKey });
    changes.push({ change, from: begin, to: reader.at });
  }
  return { head, table, changes };
}

function readChange(reader: ByteReader, columns: Columns): RowChange {
  const code = reader.byte();
  const op = OPS.get(code);
  if (op === undefined) throw invalid(`an operation of code ${code}`);
  // Whether a trigger made the change.
  reader.byte();
  const { table } = columns;
  const first = readRecord(reader, columns);
  const key = keyOf(columns, first);
  if (op === "delete") return { table, op, key, before: whole(columns, first), after: null };
  if (op === "insert") return { table, op, key, before: null, after: whole(columns, first) };
  const after = toCells(columns.names, readRecord(reader, columns));
  const before = toCells(
    columns.names.filter((name) => Object.hasOwn(after, name)),
    new Map(first),
  );
  if (Object.keys(before).length !== Object.keys(after).length)
    throw invalid(`${table} ${JSON.stringify(key)}: different columns before and after`);
  return { table, op, key, before, after };
}

/** Values by column; columns that the record omits are absent. */
type SqlRecord = ReadonlyMap<string, Cell>;

function readRecord(reader: ByteReader, { names }: Columns): SqlRecord {
  const record = new Map<string, Cell>();
  for (const name of names) {
    const cell = reader.value();
    if (cell !== undefined) record.set(name, cell);
  }
  return record;
}

function keyOf({ table, names, isKey }: Columns, record: SqlRecord): Cells {
  const keys = names.filter((_, index) => isKey[index]);
  const key = toCells(keys, record);
  if (Object.keys(key).length !== keys.length) throw invalid(`a row of ${table} without its key`);
  return key;
}

function whole({ table, names }: Columns, record: SqlRecord): Cells {
  if (record.size !== names.length) throw invalid(`a row of ${table} without all of its columns`);
  return toCells(names, record);
}

function toCells(names: readonly string[], record: SqlRecord): Cells {
  return Object.fromEntries(
    names.flatMap((name) => {
      const cell = record.get(name);
      return cell === undefined ? [] : [[name, cell] as const];
    }),
  );
}

class ByteReader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  peek(): number | undefined {
    return this.#bytes[this.at];
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  take(count: number): Buffer {
    if (count > this.#bytes.length - this.at) throw invalid("it ends too early");
    const taken = this.#bytes.subarray(this.at, this.at + count);
    this.at += count;
    return taken;
  }

  /** Seven bits per byte, most significant first; a length of more than four bytes exceeds any changeset. */
  varint(): number {
    let value = 0;
    for (let count = 0; count < 4; count += 1) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw invalid("a length that is too large");
  }

  textUntilZero(): string {
    const end = this.#bytes.indexOf(0, this.at);
    if (end === -1) throw invalid("it ends too early");
    const text = this.take(end - this.at).toString("utf8");
    this.at += 1;
    return text;
  }

  /** Undefined for a value that the record omits. */
  value(): Cell | undefined {
    const type = this.byte();
    switch (type) {
      case 0:
        return undefined;
      case 1:
        return toCell(this.take(8).readBigInt64BE());
      case 2:
        return toCell(this.take(8).readDoubleBE());
      case 3:
        return this.take(this.varint()).toString("utf8");
      case 4:
        return toCell(this.take(this.varint()));
      case 5:
        return null;
      default:
        throw invalid(`a value of type ${type}`);
    }
  }
}

function invalid(message: string): PermanentError {
  return new PermanentError(`this is not a changeset of a database: ${message}`, {
    code: "invalid_changeset",
  });
}
