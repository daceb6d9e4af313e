/** Checks whether changes satisfy a source's rules. Pure: the required table contents are passed in. */
import { canonicalJson } from "../values/canonical-json.ts";
import { type Cell, type Cells, cellInWords, nameOfRow, type RowChange } from "./row-change.ts";
import { z } from "zod";

export const VIOLATIONS_MAX = 50;

export type ViolationCode =
  | "read_only"
  | "not_allowed"
  | "below_min"
  | "above_max"
  | "not_a_number"
  | "one_per_item"
  | "running_balance"
  | "key_changed";

/** A violated rule: its location, and a sentence with the expected and the actual value. */
export type Violation = { readonly code: ViolationCode; readonly table: string; readonly message: string };

export type ChangeRules = {
  /** Absent: only the rules of every source apply. */
  readonly rules?: DataRules | undefined;
  /** Set when nothing may change at all; the reason completes the sentence "nothing may change: …". */
  readonly readOnly?: string | undefined;
  /** The balance of the last row before the changes, for each table with a `running` rule; null for an empty table. */
  readonly balances?: ReadonlyMap<string, number | null>;
};

/** @returns The violations, at most {@link VIOLATIONS_MAX}; empty if the changes can be applied. */
export function checkChanges(
  changes: readonly RowChange[],
  { rules = {}, readOnly, balances = new Map() }: ChangeRules,
): Violation[] {
  if (readOnly !== undefined) return changes.length === 0 ? [] : [changedWhatIsRead(changes, readOnly)];
  const violations = [...checkKeys(changes)];
  for (const change of changes) {
    const own = Object.hasOwn(rules, change.table) ? rules[change.table] : undefined;
    if (own !== undefined) violations.push(...checkRow(change, own));
  }
  for (const [table, own] of Object.entries(rules)) {
    violations.push(...checkOnePerItem(changes, table, own));
    violations.push(...checkRunning(changes, { table, rules: own, balance: balances.get(table) ?? null }));
  }
  return violations.slice(0, VIOLATIONS_MAX);
}

/** The violations as one text for users and models. */
export function violationsInWords(violations: readonly Violation[]): string {
  return violations.map(({ message }) => message).join("; ");
}

function changedWhatIsRead(changes: readonly RowChange[], reason: string): Violation {
  const rows = changes.slice(0, 3).map(nameOfRow).join(", ");
  const more = changes.length > 3 ? ` and ${changes.length - 3} more rows` : "";
  const [first] = changes;
  return {
    code: "read_only",
    table: first?.table ?? "",
    message: `nothing may change: ${reason}; the program changes ${rows}${more}`,
  };
}

function* checkRow(change: RowChange, rules: TableRules): Generator<Violation> {
  const { table, op, after } = change;
  const allowed = rules[op];
  if (allowed === false) {
    yield {
      code: "not_allowed",
      table,
      message: `${nameOfRow(change)}: ${DONE[op]} of ${table} is not allowed`,
    };
    return;
  }
  if (after === null) return;
  if (op === "update" && Array.isArray(allowed)) {
    for (const column of Object.keys(after).filter((name) => !allowed.includes(name))) {
      const message = `${nameOfRow(change)}: a change of ${column} is not allowed, only of ${allowed.join(", ")}`;
      yield { code: "not_allowed", table, message };
    }
  }
  yield* checkBounds(change, after, rules);
}

const DONE = {
  insert: "adding a row",
  update: "changing a row",
  delete: "taking away a row",
} as const;

function* checkBounds(
  change: RowChange,
  after: Cells,
  { min = {}, max = {} }: TableRules,
): Generator<Violation> {
  for (const column of new Set([...Object.keys(min), ...Object.keys(max)])) {
    const value = after[column];
    // A column that is not mentioned is unchanged, and NULL is not a number that could be too small.
    if (value === undefined || value === null) continue;
    const { table } = change;
    const place = `${nameOfRow(change)}: ${column} is ${cellInWords(value)}`;
    const number = numberOf(value);
    const { [column]: least = -Infinity } = min;
    const { [column]: most = Infinity } = max;
    if (number === undefined) yield { code: "not_a_number", table, message: `${place}, wanted a number` };
    else if (number < least)
      yield { code: "below_min", table, message: `${place}, wanted at least ${least}` };
    else if (number > most) yield { code: "above_max", table, message: `${place}, wanted at most ${most}` };
  }
}

/** Integers beyond 2^53 arrive as text. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === "number") return cell;
  return typeof cell === "string" && /^-?\d{16,19}$/.test(cell) ? Number(cell) : undefined;
}

/** A row under another key is reported as a deleted row and an inserted row that differ only in the key. */
function* checkKeys(changes: readonly RowChange[]): Generator<Violation> {
  const gone = new Map<string, RowChange>();
  for (const change of changes) {
    if (change.op === "delete" && hasMore(change, change.before))
      gone.set(contentOf(change, change.before), change);
  }
  for (const change of changes) {
    if (change.op !== "insert") continue;
    const before = gone.get(contentOf(change, change.after));
    if (before === undefined) continue;
    const message = `${nameOfRow(before)} would become ${nameOfRow(change)}: a primary key never changes`;
    yield { code: "key_changed", table: change.table, message };
  }
}

/** Rows that consist only of their key are all different rows. */
function hasMore({ key }: RowChange, row: Cells): boolean {
  return Object.keys(row).some((name) => !Object.hasOwn(key, name));
}

function contentOf({ table, key }: RowChange, row: Cells): string {
  return canonicalJson([
    table,
    Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(key, name))),
  ]);
}

function* checkOnePerItem(
  changes: readonly RowChange[],
  table: string,
  { onePerItem: rule }: TableRules,
): Generator<Violation> {
  if (rule === undefined) return;
  const added = changes.filter((change) => change.table === table && change.op === "insert").length;
  const items = changes.filter(
    ({ table: other, op, after }) =>
      other === rule.table && op === "update" && after !== null && Object.hasOwn(after, rule.column),
  );
  if (added === items.length) return;
  const named = items.length === 0 ? "" : ` (${items.slice(0, 5).map(nameOfRow).join(", ")})`;
  const message = `wanted one new row of ${table} for each row whose ${rule.column} changes, got ${added} for ${items.length}${named}`;
  yield { code: "one_per_item", table, message };
}

/** Amounts are added in binary: half a cent counts as equal, and no amount of money is smaller. */
const TOLERANCE = 0.005;

type RunningBalance = {
  readonly table: string;
  readonly rules: TableRules;
  /** The balance of the last row before the changes; null if there is none. */
  readonly balance: number | null;
};

/** Follows a table's running balance through the added rows, in order. */
function* checkRunning(
  changes: readonly RowChange[],
  { table, rules: { running }, balance: before }: RunningBalance,
): Generator<Violation> {
  if (running === undefined) return;
  const { balance: balanceColumn, amount: amountColumn } = running;
  let last = before ?? 0;
  for (const change of changes) {
    if (change.table !== table || change.op !== "insert") continue;
    const { [balanceColumn]: balance, [amountColumn]: amount } = change.after;
    if (typeof balance !== "number" || typeof amount !== "number") {
      const message = `${nameOfRow(change)}: wanted numbers in ${amountColumn} and ${balanceColumn}, got ${cellInWords(amount)} and ${cellInWords(balance)}`;
      yield { code: "not_a_number", table, message };
      return;
    }
    if (Math.abs(last + amount - balance) > TOLERANCE) {
      const message = `${nameOfRow(change)}: ${balanceColumn} is ${balance}, wanted ${rounded(last + amount)}, which is ${rounded(last)} before it plus its ${amountColumn} of ${amount}`;
      yield { code: "running_balance", table, message };
    }
    last = balance;
  }
}

function rounded(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

const Column = z.string().min(1).max(200);
const Bounds = z.record(Column, z.number());

/** Rules that every change to a data source must satisfy, regardless of its author. They are declared once, with the source. */
export const TableRules = z.strictObject({
  insert: z.boolean().default(true).meta({ description: "Whether rows may be added." }),
  update: z
    .union([z.boolean(), z.array(Column).max(200)])
    .default(true)
    .meta({ description: "Whether rows may be changed, or the only columns that may." }),
  delete: z.boolean().default(true).meta({ description: "Whether rows may be deleted." }),
  min: Bounds.optional().meta({ description: "Minimum values of columns in added or changed rows." }),
  max: Bounds.optional().meta({ description: "Maximum values of columns in added or changed rows." }),
  onePerItem: z.strictObject({ table: Column, column: Column }).optional().meta({
    description: "Exactly one row must be added here for each row of `table` whose `column` changes.",
  }),
  running: z.strictObject({ balance: Column, amount: Column }).optional().meta({
    description:
      "The `balance` of each added row must be the balance of the previous row plus its own `amount`.",
  }),
});
export type TableRules = z.infer<typeof TableRules>;

/** Rules by table. Tables and columns that are not mentioned can change freely; only primary keys never change. */
export const DataRules = z.record(Column, TableRules);
export type DataRules = z.infer<typeof DataRules>;
