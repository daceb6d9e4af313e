import type { Violation } from "./check-changes.ts";
import type { TableRules } from "./data-rules.ts";
import { cellInWords, nameOfRow, type RowChange } from "./row-change.ts";

/** Amounts are added in binary: half of a hundredth is no difference, and no sum of money is smaller. */
const TOLERANCE = 0.005;

export type RunningBalance = {
  readonly table: string;
  readonly rules: TableRules;
  /** Of the last row before the changes; null when there is none. */
  readonly balance: number | null;
};

/** Follows a table's running balance through the rows that are added, in their order. */
export function* checkRunning(
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
