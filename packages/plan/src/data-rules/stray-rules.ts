import type { DataRules, TableRules } from "./check-changes.ts";

type KnownTable = { readonly name: string; readonly columns: readonly { readonly name: string }[] };

/**
 * Finds rules that name a missing table or column: such rules would silently have no effect.
 *
 * @returns One message for each such table or column, in the order of the rules; empty when there are none.
 */
export function strayRules(rules: DataRules, tables: readonly KnownTable[]): string[] {
  const columnsOf = new Map(
    tables.map(({ name, columns }) => [name, new Set(columns.map((one) => one.name))]),
  );
  const check = (place: string, table: string, columns: readonly string[]): string[] => {
    const known = columnsOf.get(table);
    if (known === undefined) return [`${place}: there is no table ${table}`];
    return columns
      .filter((column) => !known.has(column))
      .map((column) => `${place}: ${table} has no column ${column}`);
  };
  return Object.entries(rules).flatMap(([table, own]) => [
    ...check(table, table, columnsNamedBy(own)),
    ...(own.onePerItem === undefined
      ? []
      : check(`${table}.onePerItem`, own.onePerItem.table, [own.onePerItem.column])),
  ]);
}

function columnsNamedBy({ update, min = {}, max = {}, running }: TableRules): string[] {
  const updated = Array.isArray(update) ? update : [];
  const added = running === undefined ? [] : [running.balance, running.amount];
  return [...new Set([...updated, ...Object.keys(min), ...Object.keys(max), ...added])];
}
