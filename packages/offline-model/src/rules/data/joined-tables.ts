/** The tables of every source, and those of one source side by side: each row with the row that its key refers to. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { stemsOf } from "../text/words.ts";
import { quoteName } from "./quote.ts";
import { type Column, columnOf, type Table, tableOf } from "./tables.ts";

const JOINS_MAX = 4;

export function tablesOf(data: readonly DataSource[]): readonly Table[] {
  return data.flatMap(({ source, tables }) => {
    const own = tables.map(({ name, rows, columns }) =>
      tableOf({ source, name, from: quoteName(name), rows: rows ?? null, columns: columns.map(columnOf) }),
    );
    return [...own, ...joinedTables(own)];
  });
}

/**
 * For every table with keys of others (`customer_id` beside a table `customers` with `id` or `customer_id`), one
 * that has their columns too. A key is a row's own only in the table that is named after it, so no row is doubled.
 */
function joinedTables(tables: readonly Table[]): readonly Table[] {
  return tables.flatMap((table) => {
    const links = table.columns
      .filter(({ kind }) => kind === "id")
      .flatMap((column) => linksOf(column, table, tables))
      .slice(0, JOINS_MAX);
    return links.length === 0 ? [] : [join(table, links)];
  });
}

type Link = { readonly column: Column; readonly parent: Table; readonly key: Column };

function linksOf(column: Column, table: Table, tables: readonly Table[]): readonly Link[] {
  const target = column.words.filter((word) => word !== "id");
  if (target.length === 0) return [];
  return tables.flatMap((parent) => {
    if (parent === table || parent.words.join() !== target.join()) return [];
    const key = parent.columns.find(
      ({ name, kind }) =>
        kind === "id" && (/^id$/i.test(name) || name.toLowerCase() === column.name.toLowerCase()),
    );
    return key === undefined ? [] : [{ column, parent, key }];
  });
}

function join(table: Table, links: readonly Link[]): Table {
  const own = quoteName(table.name);
  const qualified = (owner: string, column: Column): Column => ({
    ...column,
    sql: column.sql.replaceAll(quoteName(column.name), `${owner}.${quoteName(column.name)}`),
  });
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const added = links.flatMap(({ parent }, index) =>
    parent.columns
      .filter(({ kind }) => kind !== "id")
      .map((column) => addedColumn(qualified(`t${index + 1}`, column), parent, taken)),
  );
  const joins = links.map(
    ({ column, parent, key }, index) =>
      `LEFT JOIN ${quoteName(parent.name)} AS t${index + 1} ON t${index + 1}.${quoteName(key.name)} = ${own}.${quoteName(column.name)}`,
  );
  const columns = table.columns.map((column) => qualified(own, column));
  const joined = tableOf({
    source: table.source,
    name: table.name,
    rows: table.rows,
    from: [own, ...joins].join(" "),
    columns: [...columns, ...added],
  });
  return { ...joined, label: joined.columns.find(({ name }) => name === table.label?.name) ?? null };
}

/** `name` of a table `customers` is the customer; what is named alike in both is named after its table. */
function addedColumn(column: Column, parent: Table, taken: ReadonlySet<string>): Column {
  const isLabel = column.name === parent.label?.name;
  const words = isLabel ? parent.words : column.words;
  const clashes = taken.has(column.name.toLowerCase()) || isLabel;
  const name = clashes ? `${parent.entity ?? parent.name}_${column.name}` : column.name;
  // What belongs to the other table's row stands in many rows here: adding it up would count it many times.
  const adds = column.kind === "measure" ? "rate" : column.adds;
  return { ...column, name, words: words.length === 0 ? stemsOf(parent.name) : words, adds };
}
