/** The tables of one statement, and the conditions and figures over them as SQL. */
import { quoteName } from "../data/tables.ts";
import { type Expr, type Figure, type Filter, type Ref, Unreadable } from "./meaning.ts";
import { isoSql, type Link, pathsBetween, type Schema, sqlOf, type Tab } from "./schema.ts";

const OWN = "t";

/** The tables of one statement: the current rows, and the rows that they refer to if any part of them is used. */
export class Scope {
  readonly #joins: { alias: string; sql: string; key: string }[] = [];
  readonly #schema: Schema;
  readonly #base: Tab;
  readonly #alias: string;

  constructor(schema: Schema, base: Tab, alias = OWN) {
    this.#schema = schema;
    this.#base = base;
    this.#alias = alias;
  }

  from(): Sql {
    const joins = this.#joins.map((join) => join.sql).join("");
    return raw(`${quoteName(this.#base.name)} AS ${this.#alias}${joins}`);
  }

  col(ref: Ref): string {
    return sqlOf(ref.col, this.#aliasOf(ref));
  }

  iso(ref: Ref): string {
    return `date(${isoSql(ref.col, this.#aliasOf(ref))})`;
  }

  #aliasOf({ col, by }: Ref): string {
    const path = pathTo(this.#schema, this.#base, { col, by });
    return path.reduce((alias, link) => this.#join(alias, link), this.#alias);
  }

  #join(alias: string, link: Link): string {
    const key = `${alias} ${link.column.name} ${link.to}`;
    const known = this.#joins.find((join) => join.key === key);
    if (known !== undefined) return known.alias;
    const own = `${this.#alias}${this.#joins.length + 1}`;
    const on = `${quoteName(own)}.${quoteName(link.key.name)} = ${quoteName(alias)}.${quoteName(link.column.name)}`;
    this.#joins.push({ alias: own, key, sql: ` LEFT JOIN ${quoteName(link.to)} AS ${own} ON ${on}` });
    return own;
  }

  expr(expr: Expr): string {
    switch (expr.e) {
      case "col":
        return this.col(expr.ref);
      case "product":
        return `(${this.col(expr.left)} * ${this.col(expr.right)})`;
      case "plus":
        return `(${expr.refs.map((ref) => `COALESCE(${this.col(ref)}, 0)`).join(" + ")})`;
      case "days":
        return `(julianday(${this.iso(expr.to)}) - julianday(${this.iso(expr.from)}))`;
      default:
        return expr satisfies never;
    }
  }

  figure({ agg, expr }: Figure): string {
    if (expr === null) return "COUNT(*)";
    const value = this.expr(expr);
    switch (agg) {
      case "count":
        return `COUNT(${value})`;
      case "distinct":
        return `COUNT(DISTINCT ${value})`;
      case "sum":
        return `ROUND(SUM(${value}), 2)`;
      case "average":
        return `ROUND(AVG(${value}), 2)`;
      case "lowest":
        return `MIN(${value})`;
      case "highest":
        return `MAX(${value})`;
      case "median":
        throw new Unreadable("a median beside other figures");
      default:
        return agg satisfies never;
    }
  }

  where(filters: readonly Filter[]): Sql {
    if (filters.length === 0) return raw("");
    return sql` WHERE ${join(
      filters.map((filter) => this.condition(filter)),
      " AND ",
    )}`;
  }

  condition(filter: Filter): Sql {
    switch (filter.t) {
      case "in":
        return this.#among(filter);
      case "number": {
        const col = this.col(filter.ref);
        if (filter.to !== null) return sql`${col} BETWEEN ${param(filter.value)} AND ${param(filter.to)}`;
        return sql`${col} ${filter.sign} ${param(filter.value)}`;
      }
      case "empty":
        return raw(`${this.col(filter.ref)} IS ${filter.not ? "NOT " : ""}NULL`);
      case "time": {
        const iso = this.iso(filter.ref);
        const spans = join(
          filter.spans.map(({ from, to }) => spanSql(iso, from, to)),
          " OR ",
        );
        return filter.not ? sql`NOT (${spans})` : sql`(${spans})`;
      }
      case "weekday":
        return raw(
          `CAST(strftime('%w', ${this.iso(filter.ref)}) AS INTEGER) ${filter.not ? "NOT " : ""}IN (${filter.days.join(", ")})`,
        );
      case "columns": {
        const isDate = filter.left.col.kind === "date";
        const [left, right] = [filter.left, filter.right].map((ref) =>
          isDate ? this.iso(ref) : this.col(ref),
        );
        return raw(`${left} ${filter.sign} ${right}`);
      }
      case "days":
        return sql`${this.expr({ e: "days", from: filter.from, to: filter.to })} ${filter.sign} ${param(filter.value)}`;
      case "exists":
        return this.#exists(filter);
      default:
        return filter satisfies never;
    }
  }

  #among({ ref, values, not, keepsEmpty }: Extract<Filter, { t: "in" }>): Sql {
    const col = this.col(ref);
    const list = join(
      values.map((value) => (ref.col.isNumeric ? param(Number(value)) : param(value))),
      ", ",
    );
    const text = ref.col.isNumeric ? col : `${col} COLLATE NOCASE`;
    if (!not) return sql`${text} IN (${list})`;
    return keepsEmpty ? sql`(${col} IS NULL OR ${text} NOT IN (${list}))` : sql`${text} NOT IN (${list})`;
  }

  #exists({ link, filters, not }: Extract<Filter, { t: "exists" }>): Sql {
    const child = this.#schema.tables.find(({ name }) => name === link.from);
    if (child === undefined) throw new Unreadable(link.from);
    const inner = new Scope(this.#schema, child, "c");
    const conditions = filters.map((filter) => inner.condition(filter));
    const key = `${quoteName("c")}.${quoteName(link.column.name)} = ${quoteName(this.#alias)}.${quoteName(link.key.name)}`;
    const where = join([raw(key), ...conditions], " AND ");
    return sql`${not ? "NOT " : ""}EXISTS (SELECT 1 FROM ${inner.from()} WHERE ${where})`;
  }
}

/** The only path to a column; if there are several, the goal must specify which. */
function pathTo(schema: Schema, base: Tab, { col, by }: Ref): readonly Link[] {
  const paths = pathsBetween(schema, base.name, col.table);
  const chosen = by === null ? paths : paths.filter(([first]) => first?.column === by);
  const [path] = chosen;
  if (path === undefined) throw new Unreadable(`${col.name} of ${base.name}`);
  if (chosen.length > 1)
    throw new Unreadable(
      `${col.name} could be by ${chosen.map(([first]) => first?.column.name).join(" or by ")}`,
    );
  return path;
}

function spanSql(iso: string, from: string | null, to: string | null): Sql {
  if (from !== null && from === to) return sql`${iso} = ${param(from)}`;
  const bounds = [
    ...(from === null ? [] : [sql`${iso} >= ${param(from)}`]),
    ...(to === null ? [] : [sql`${iso} <= ${param(to)}`]),
  ];
  return sql`(${join(bounds, " AND ")})`;
}

/** Pieces of SQL with their parameters. */
export type Sql = { readonly text: string; readonly params: readonly (string | number)[] };
type Part = string | number | Sql;

function raw(text: string): Sql {
  return { text, params: [] };
}

export function param(value: string | number): Sql {
  return { text: "?", params: [value] };
}

export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  const filled = parts.map((part) => (typeof part === "object" ? part : raw(String(part))));
  return {
    text: texts.map((text, index) => `${text}${filled[index]?.text ?? ""}`).join(""),
    params: filled.flatMap(({ params }) => params),
  };
}

export function join(parts: readonly Sql[], between: string): Sql {
  return { text: parts.map(({ text }) => text).join(between), params: parts.flatMap(({ params }) => params) };
}
