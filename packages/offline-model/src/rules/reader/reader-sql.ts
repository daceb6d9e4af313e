/** A meaning as one read-only SELECT of SQLite. */
import { quoteName } from "../data/tables.ts";
import { type Expr, type Group, type Meaning, type Ref, Unreadable } from "./meaning.ts";
import { columnName, figureName, shownName, singular } from "./names.ts";
import type { Schema, Tab } from "./schema.ts";
import { join, param, Scope, type Sql, sql } from "./scope.ts";

const ROWS_MAX = 500;

/** The statement; every value that came from the goal is a parameter. */
export function sqlOfMeaning(meaning: Meaning, schema: Schema): Sql {
  const scope = new Scope(schema, meaning.base);
  switch (meaning.shape) {
    case "figures":
      return figuresSql(meaning, scope);
    case "rows":
      return rowsSql(meaning, scope);
    case "share":
      return shareSql(meaning, scope);
    case "exists": {
      const where = scope.where(meaning.filters);
      return sql`SELECT CASE WHEN COUNT(*) > 0 THEN 'yes' ELSE 'no' END AS answer, COUNT(*) AS ${quoteName(`${singular(meaning.base.name)}_count`)} FROM ${scope.from()}${where}`;
    }
    case "sides":
      return sidesSql(meaning, scope);
    case "mean":
      return meanSql(meaning, scope);
    default:
      return meaning satisfies never;
  }
}

type Shaped<Shape extends Meaning["shape"]> = Extract<Meaning, { shape: Shape }>;

/** SQL of each grouping column, with its name. */
function groupParts(group: Group, scope: Scope): readonly { sql: string; name: string }[] {
  if (group.g === "col")
    return [group.ref, ...group.also, ...(group.shown ?? [])].map((ref) => ({
      sql: shownSql(ref, scope),
      name: shownName(ref.col),
    }));
  return [{ sql: bucketSql(scope.iso(group.ref), group.bucket), name: group.bucket }];
}

function withoutShown(group: Group): Group {
  return group.g === "col" ? { ...group, shown: [] } : group;
}

/** Keys and years are written unformatted, never as quantities. */
function shownSql(ref: Ref, scope: Scope): string {
  const { kind, isNumeric } = ref.col;
  const col = scope.col(ref);
  return isNumeric && (kind === "key" || kind === "year") ? `CAST(${col} AS TEXT)` : col;
}

function bucketSql(iso: string, bucket: Extract<Group, { g: "bucket" }>["bucket"]): string {
  switch (bucket) {
    case "day":
      return iso;
    case "week":
      return `strftime('%G-W%V', ${iso})`;
    case "month":
      return `substr(${iso}, 1, 7)`;
    case "quarter":
      return `substr(${iso}, 1, 4) || '-Q' || ((substr(${iso}, 6, 2) + 2) / 3)`;
    case "year":
      return `substr(${iso}, 1, 4)`;
    case "weekday":
      return `CASE strftime('%w', ${iso}) WHEN '0' THEN 'Sunday' WHEN '1' THEN 'Monday' WHEN '2' THEN 'Tuesday' WHEN '3' THEN 'Wednesday' WHEN '4' THEN 'Thursday' WHEN '5' THEN 'Friday' ELSE 'Saturday' END`;
    default:
      return bucket satisfies never;
  }
}

function figuresSql(meaning: Shaped<"figures">, scope: Scope): Sql {
  const { figures, groups, filters, order, ranks, base, having } = meaning;
  if (figures.some(({ agg }) => agg === "median")) return medianSql(meaning, scope);
  const parts = groups.flatMap((group) => groupParts(group, scope));
  const figureSqls = figures.map((figure) => scope.figure(figure));
  const main = figureSqls[0] ?? "COUNT(*)";
  const select = [
    ...parts.map((part) => `${part.sql} AS ${quoteName(part.name)}`),
    ...figures.map(
      (figure, index) => `${figureSqls[index] ?? main} AS ${quoteName(figureName(figure, base))}`,
    ),
  ].join(", ");
  const where = scope.where(filters);
  if (parts.length === 0) return sql`SELECT ${select} FROM ${scope.from()}${where}`;
  const by = parts.map((part) => part.sql).join(", ");
  const key = groups.flatMap((group) => groupParts(withoutShown(group), scope)).at(-1)?.sql ?? by;
  const conditions = [
    ...(ranks === null ? [] : [`${main} IS NOT NULL`, `${key} IS NOT NULL`]),
    ...(ranks === null && figures.every(({ agg }) => agg === "average")
      ? [`${parts[0]?.sql ?? by} IS NOT NULL`]
      : []),
    ...(having === null ? [] : [`${main} ${having.sign} ${having.value}`]),
  ];
  const kept = conditions.length === 0 ? "" : ` HAVING ${conditions.join(" AND ")}`;
  const names = parts.map((part) => quoteName(part.name)).join(", ");
  if (ranks === null) {
    const sorted = order === null ? names : `${main} ${direction(order)}, ${names}`;
    return sql`SELECT ${select} FROM ${scope.from()}${where} GROUP BY ${by}${kept} ORDER BY ${sorted} LIMIT ${String(ROWS_MAX)}`;
  }
  const all = [...parts.map(({ name }) => name), ...figures.map((figure) => figureName(figure, base))]
    .map(quoteName)
    .join(", ");
  return sql`SELECT ${all} FROM (SELECT ${select}, RANK() OVER (ORDER BY ${main} ${direction(order ?? "most")}) AS place FROM ${scope.from()}${where} GROUP BY ${by}${kept}) WHERE place <= ${String(ranks)} ORDER BY place, ${names} LIMIT ${String(ROWS_MAX)}`;
}

function direction(order: "most" | "least"): string {
  return order === "most" ? "DESC" : "ASC";
}

/** The middle value, or the mean of the two middle ones. */
function medianSql({ figures, groups, filters, base, ranks }: Shaped<"figures">, scope: Scope): Sql {
  const [figure, ...others] = figures;
  if (figure?.expr === null || figure === undefined || others.length > 0 || ranks !== null)
    throw new Unreadable("a median beside something else");
  const parts = groups.flatMap((group) => groupParts(group, scope));
  const value = scope.expr(figure.expr);
  const partition = parts.length === 0 ? "" : `PARTITION BY ${parts.map((part) => part.sql).join(", ")} `;
  const selected = parts.map((part) => `${part.sql} AS ${quoteName(part.name)}, `).join("");
  const names = parts.map((part) => quoteName(part.name));
  const where =
    filters.length === 0
      ? sql` WHERE ${value} IS NOT NULL`
      : sql`${scope.where(filters)} AND ${value} IS NOT NULL`;
  const inner = sql`SELECT ${selected}${value} AS value, ROW_NUMBER() OVER (${partition}ORDER BY ${value}) AS place, COUNT(*) OVER (${partition}) AS places FROM ${scope.from()}${where}`;
  const group =
    names.length === 0
      ? " HAVING COUNT(*) > 0"
      : ` GROUP BY ${names.join(", ")} ORDER BY ${names.join(", ")}`;
  return sql`SELECT ${[...names, `ROUND(AVG(value), 2) AS ${quoteName(figureName(figure, base))}`].join(", ")} FROM (${inner}) WHERE place IN ((places + 1) / 2, (places + 2) / 2)${group}`;
}

function rowsSql({ base, filters, shown, by, order, ranks, isValues }: Shaped<"rows">, scope: Scope): Sql {
  const ownLabels: readonly Ref[] = isValues ? [] : labelRefs(base);
  const refs = distinctRefs([...ownLabels, ...shown]);
  const columns = refs.map((ref) => ({ sql: shownSql(ref, scope), name: shownName(ref.col) }));
  const value = by === null ? null : scope.expr(by);
  const valueName = by === null ? null : quoteName(exprName(by));
  const isShown = by?.e === "col" && refs.some(({ col }) => col === by.ref.col);
  const select = [
    ...columns.map((column) => `${column.sql} AS ${quoteName(column.name)}`),
    ...(value === null || isShown ? [] : [`${value} AS ${valueName}`]),
  ].join(", ");
  const where = scope.where(filters);
  if (value === null || ranks === null) {
    const sorted =
      value === null
        ? columns.map((_, index) => String(index + 1)).join(", ")
        : `${value} ${direction(order)}`;
    const limit = isValues || value === null ? "DISTINCT " : "";
    return sql`SELECT ${limit}${select} FROM ${scope.from()}${where} ORDER BY ${sorted} LIMIT ${String(ROWS_MAX)}`;
  }
  const names = [...columns.map(({ name }) => quoteName(name)), ...(isShown ? [] : [valueName ?? ""])].join(
    ", ",
  );
  const known =
    filters.length === 0 ? sql` WHERE ${value} IS NOT NULL` : sql`${where} AND ${value} IS NOT NULL`;
  const limited = `RANK() OVER (ORDER BY ${value} ${direction(order)}) AS place`;
  return sql`SELECT ${isValues ? "DISTINCT " : ""}${names} FROM (SELECT ${select}, ${limited} FROM ${scope.from()}${known}) WHERE place <= ${String(ranks)} ORDER BY ${isValues ? "1" : "place"} LIMIT ${String(ROWS_MAX)}`;
}

/** The columns that show a row: its key and name; all columns if it has no name. */
function labelRefs({ labels, cols }: Tab): readonly Ref[] {
  const cells = labels.length > 0 ? labels : cols.slice(0, 8);
  return cells.map((col) => ({ col, by: null }));
}

function distinctRefs(refs: readonly Ref[]): readonly Ref[] {
  return refs.filter(
    (ref, index) => refs.findIndex(({ col, by }) => col === ref.col && by === ref.by) === index,
  );
}

function exprName(expr: Expr): string {
  if (expr.e === "days") return "days";
  if (expr.e === "col") return shownName(expr.ref.col);
  return expr.e === "product" ? `${columnName(expr.left.col)}_times_${columnName(expr.right.col)}` : "sum";
}

function shareSql({ base, figure, focus, filters }: Shaped<"share">, scope: Scope): Sql {
  const inside = join(
    focus.map((filter) => scope.condition(filter)),
    " AND ",
  );
  const value = figure.expr === null ? "1" : scope.expr(figure.expr);
  const [part, all] =
    figure.expr === null ? ["part", "all"] : [`part_${figureName(figure, base)}`, figureName(figure, base)];
  const where = scope.where(filters);
  const count = figure.expr === null ? `${quoteName(`all_${base.name}`)}` : quoteName(all);
  const name = quoteName(figure.expr === null ? `${singular(base.name)}_count` : part);
  return sql`SELECT ROUND(100.0 * part_value / all_value, 2) AS share_percent, ROUND(part_value, 2) AS ${name}, ROUND(all_value, 2) AS ${count} FROM (SELECT SUM(CASE WHEN ${inside} THEN ${value} ELSE 0 END) AS part_value, SUM(${value}) AS all_value FROM ${scope.from()}${where}) WHERE all_value > 0`;
}

function sidesSql({ base, figure, sides, filters }: Shaped<"sides">, scope: Scope): Sql {
  const name = quoteName(figureName(figure, base));
  const rows = sides.map((side) => {
    const where = scope.where([...filters, ...side.filters]);
    return { name: side.name, where };
  });
  const selects = rows.map(
    ({ name: label, where }) =>
      sql`SELECT ${param(label)} AS side, COALESCE(${scope.figure(figure)}, 0) AS ${name} FROM ${scope.from()}${where}`,
  );
  const all = join(selects, " UNION ALL ");
  return sql`SELECT side, ${name}, ROUND(${name} - (SUM(${name}) OVER () - ${name}), 2) AS difference FROM (${all})`;
}

function meanSql({ base, figure, per, filters }: Shaped<"mean">, scope: Scope): Sql {
  const [part] = groupParts(per, scope);
  if (part === undefined) throw new Unreadable("an average per nothing");
  const value = scope.figure(figure);
  const name = quoteName(`average_${figureName(figure, base)}_per_${part.name}`);
  const where = scope.where(filters);
  const places = quoteName(`${part.name}s`);
  return sql`SELECT ROUND(AVG(value), 2) AS ${name}, COUNT(value) AS ${places} FROM (SELECT ${value} AS value FROM ${scope.from()}${where} GROUP BY ${part.sql})`;
}
