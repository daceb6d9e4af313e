/** The tables of every source, and those of one source joined along their keys: each row with the rows that its keys refer to. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { stemsOf } from "../text/words.ts";
import { type Child, type Column, columnOf, quoteName, type Table, tableOf } from "../data/tables.ts";

const JOINS_MAX = 6;
/** Maximum number of keys followed in a chain: item, order, customer. */
const DEPTH_MAX = 3;

export function tablesOf(data: readonly DataSource[]): readonly Table[] {
  return data.flatMap(({ source, tables }) => {
    const described = tables.map(({ name, rows, columns }) =>
      tableOf({
        source,
        name,
        from: quoteName(name),
        rows: rows ?? null,
        columns: withOwnKey(columns.map(columnOf), name),
      }),
    );
    const own = described
      .map((table) => withoutParentNames(table, described))
      .map((table) => ({ ...table, children: childrenOf(table, described) }))
      .map((table) => ({
        ...table,
        columns: table.columns.map((column) => withOwner(column, table, described)),
      }));
    return [...own, ...joinedTables(own)];
  });
}

/** `ticket` with 8801, 8802, … as the first column of a table of tickets: a key, not a measure. */
function withOwnKey([first, ...others]: readonly Column[], name: string): readonly Column[] {
  if (first === undefined) return [];
  const isKey =
    first.kind === "measure" &&
    first.wholeNumbers &&
    first.words.at(-1) === stemsOf(name).at(-1) &&
    others.length > 0;
  return [isKey ? { ...first, kind: "id" } : first, ...others];
}

/** A row of `order_items` is not an order when `orders` is a table too: counting these rows would not count orders. */
function withoutParentNames(table: Table, tables: readonly Table[]): Table {
  const names = table.columns
    .flatMap((column) => parentsOf(column, table, tables))
    .map(({ words }) => words.join(" "));
  const isParent = table.entity !== null && names.includes(stemsOf(table.entity).join(" "));
  return { ...table, entity: isParent ? null : table.entity, parentNames: names };
}

/** For every table with keys of others (`customer_id` beside a table `customers`), a table that has their columns too. */
function joinedTables(tables: readonly Table[]): readonly Table[] {
  return tables.flatMap((table) => {
    const links = followKeys(table, tables);
    return links.length === 0 ? [] : [join(table, links)];
  });
}

/** `hive_id` in a table of inspections, without a table of hives: each value is a hive. */
function withOwner(column: Column, table: Table, tables: readonly Table[]): Column {
  if (column.kind !== "id") return column;
  const ids = table.columns.filter(({ kind }) => kind === "id");
  const words = numberedBy(column);
  const isOther = ids[0] !== column && words.length > 0 && parentsOf(column, table, tables).length === 0;
  return { ...column, isOwnKey: !isOther, words: isOther ? words : column.words };
}

/** The tables whose only key of this kind refers to rows of the given one. */
function childrenOf(parent: Table, tables: readonly Table[]): readonly Child[] {
  return tables.flatMap((table) => {
    const links = table.columns
      .flatMap((column) => linksOf(column, table, tables))
      .filter((link) => link.parent.name === parent.name);
    const [link] = links;
    if (link === undefined || links.length > 1) return [];
    const names = [table.words, ...(table.entity === null ? [] : [stemsOf(table.entity)])];
    const key = `${quoteName(parent.name)}.${quoteName(link.key.name)}`;
    const rows = `SELECT 1 FROM ${quoteName(table.name)} AS child WHERE child.${quoteName(link.column.name)} = ${key}`;
    const objects = table.columns
      .flatMap((column) => parentsOf(column, table, tables))
      .filter(({ name }) => name !== parent.name)
      .map(({ words }) => words.join(" "));
    return [{ table: table.name, names, objects, rows }];
  });
}

type Link = { readonly column: Column; readonly parent: Table; readonly key: Column };
/** A link with the SQL names of its two sides. */
type PlacedLink = Link & { readonly child: string; readonly alias: string; readonly depth: number };

function followKeys(table: Table, tables: readonly Table[]): readonly PlacedLink[] {
  const placed: PlacedLink[] = [];
  const follow = (from: Table, child: string, path: readonly Table[]): void => {
    if (path.length > DEPTH_MAX) return;
    for (const link of from.columns.flatMap((column) => linksOf(column, from, tables))) {
      if (placed.length >= JOINS_MAX || path.includes(link.parent)) continue;
      const alias = `t${placed.length + 1}`;
      placed.push({ ...link, child, alias, depth: path.length });
      follow(link.parent, alias, [...path, link.parent]);
    }
  };
  follow(table, quoteName(table.name), [table]);
  return placed;
}

/** The other tables that a key's name refers to. */
function parentsOf(column: Column, table: Table, tables: readonly Table[]): readonly Table[] {
  const target = numberedBy(column);
  if (!isKey(column) || target.length === 0 || target.join() === table.words.join()) return [];
  return tables.filter(({ words }) => words.join() === target.join());
}

/** Stems of the noun that a key numbers: `member` of `Member No`. */
function numberedBy({ words }: Column): readonly string[] {
  return words.filter((word) => !/^(?:id|no|nr|cod|key|sku|uuid)$/.test(word));
}

/** `bike` of `BK11`, `BK12`, … is a key of bikes, whatever its name. */
function isKey({ kind, samples }: Column): boolean {
  const isCode = samples.length > 0 && samples.every((sample) => /^\p{L}{1,5}-?\d+$/u.test(sample));
  return kind === "id" || (kind === "dimension" && isCode);
}

/** The table that a key refers to: the only one with its name, by its only possible key. */
function linksOf(column: Column, table: Table, tables: readonly Table[]): readonly Link[] {
  const [parent, ...others] = parentsOf(column, table, tables);
  if (parent === undefined || others.length > 0) return [];
  const [key, ...otherKeys] = parent.columns.filter((own) => {
    const { name, kind } = own;
    return (
      (kind === "id" && /^id$/i.test(name)) ||
      (isKey(own) && name.toLowerCase() === column.name.toLowerCase())
    );
  });
  if (key === undefined || otherKeys.length > 0 || !areAlike(column, key)) return [];
  return [{ column, parent, key }];
}

/** `C-17` never matches `17`. */
function areAlike(one: Column, other: Column): boolean {
  const [first, second] = [one, other].map(({ samples }) =>
    samples.length === 0 ? null : samples.every((sample) => /^\d+$/.test(sample)),
  );
  return first === null || second === null || first === second;
}

function join(table: Table, links: readonly PlacedLink[]): Table {
  const own = quoteName(table.name);
  const taken = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const added = links.flatMap((link) =>
    link.parent.columns
      .filter((own) => own.kind !== "id" && own !== link.key)
      .map((column) => addedColumn(column, link, taken)),
  );
  const joins = links.map(({ column, parent, key, child, alias }) => ({
    alias,
    sql: ` LEFT JOIN ${parentSql(parent, key)} AS ${alias} ON ${alias}.${quoteName(key.name)} = ${child}.${quoteName(column.name)}`,
  }));
  const columns = table.columns.map((column) => qualified(own, column));
  const from = own + joins.map(({ sql }) => sql).join("");
  const alone = tableOf({ ...table, from, columns });
  const joined = tableOf({ ...table, from, columns: [...columns, ...added] });
  const label = columns.find(({ name }) => name === table.label?.name) ?? null;
  return {
    ...table,
    ...joined,
    calendar: alone.calendar ?? joined.calendar,
    label,
    entity: table.entity,
    joins,
  };
}

function qualified(owner: string, column: Column): Column {
  return {
    ...column,
    sql: column.sql.replaceAll(quoteName(column.name), `${owner}.${quoteName(column.name)}`),
  };
}

/** Distinguishes the rows of a parent: the label, with the key if several rows share it. Not needed if none do. */
const DISTINCT_LABEL = quoteName("distinct label");

/**
 * The rows of a parent, each key once. A key that several rows have makes the query fail, because its child would be
 * counted once for each of them. SQL cannot raise an error, but `json_extract` quotes an invalid path in its error.
 */
function parentSql({ name, label }: Table, key: Column): string {
  const id = quoteName(key.name);
  const named = label === null || label.complete ? null : quoteName(label.name);
  const distinct =
    named === null
      ? ""
      : `, CASE WHEN COUNT(*) OVER (PARTITION BY ${named}) > 1 THEN COALESCE(${named}, '') || ' (' || ${id} || ')' ELSE ${named} END AS ${DISTINCT_LABEL}`;
  const place = `${name}.${key.name}`.replaceAll("'", "''");
  const once = `CASE WHEN COUNT(*) = 1 THEN 1 ELSE json_extract('{}', ${id} || ' occurs twice in ${place}') END`;
  return `(SELECT *${distinct} FROM ${quoteName(name)} WHERE ${id} IS NOT NULL GROUP BY ${id} HAVING ${once})`;
}

/** `name` of a table `customers` is the customer; a name that both tables have gets its table's name as a prefix. */
function addedColumn(given: Column, { parent, alias, depth }: PlacedLink, taken: Set<string>): Column {
  const column = qualified(alias, given);
  const isLabel = given.name === parent.label?.name;
  const words = isLabel ? parent.words : column.words;
  const clashes = taken.has(column.name.toLowerCase()) || isLabel;
  const owner = parent.entity ?? parent.name;
  const isOwned =
    column.name.toLowerCase().startsWith(owner.toLowerCase()) && !taken.has(column.name.toLowerCase());
  const name = clashes && !isOwned ? `${owner}_${column.name}` : column.name;
  taken.add(name.toLowerCase());
  return {
    ...column,
    name,
    sql: isLabel && !column.complete ? `${alias}.${DISTINCT_LABEL}` : column.sql,
    words: words.length === 0 ? stemsOf(parent.name) : words,
    adds: column.kind === "measure" ? "rate" : column.adds,
    joined: { table: parent.name, depth, value: column.sql },
  };
}
