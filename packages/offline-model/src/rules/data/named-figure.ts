/** A figure that a clause names: `how many orders`, `average revenue`, `units`. */
import {
  canBeSummed,
  COUNT,
  type FiguresContext,
  moneySum,
  piecesColumn,
  type Target,
  moneyColumn,
} from "./figures.ts";
import type { Mark, MarkList } from "../marks/marks.ts";
import { type Figure, NotUnderstood } from "./question.ts";
import type { Table } from "./tables.ts";

/** The figure that the clause names: `how many orders`, `average revenue`, `units`; null when it names none. */
export function namedFigure(
  marks: MarkList,
  context: FiguresContext,
  lead: Mark["letter"] | null,
): Figure | null {
  const { table, rank, target } = context;
  if (lead === "H" || lead === "U") {
    const own = marks.take(/[ME]/)?.[0];
    if (own?.letter === "M") return measured(own, null, context);
    if (own === undefined || lead === "H") return own === undefined ? null : COUNT;
    // `how much lower were sales` is about money; for other rows it is ambiguous.
    if (!/^sales?$/i.test(own.text)) throw new NotUnderstood(`“how much” of ${own.text}`);
    return moneySum(table);
  }
  // `revenue and number of orders`: the count is the second figure.
  const isSecond = marks.has(/^[^H]*M[^H]*&_*H_*E/);
  const count = isSecond ? null : marks.take(/(?:A_*)?H_*E/);
  if (count !== null) return counted(marks, count, context);
  const amount = isSecond ? null : marks.take(/(?:A_*)?[HU]_*M/);
  if (amount !== null) return amountOf(amount, context);
  const aggregated = marks.take(/A_*[ME]/);
  if (aggregated !== null) return aggregatedOf(marks, aggregated, context);
  if (marks.has(/A/) && target.by === null) {
    const own = marks.take(/A/)?.[0];
    const money = rank === null || own?.aggregate !== undefined ? moneyColumn(table) : null;
    if (own === undefined || money === null || !marks.has(/s/))
      throw new NotUnderstood(`“${own?.text ?? ""}” of what`);
    return { aggregate: own.aggregate ?? "sum", column: money };
  }
  const measure = marks.take(/M/)?.[0];
  if (measure !== undefined) return measured(measure, null, context);
  if (marks.take(/U/) !== null) return moneySum(table);
  if (marks.has(/H/)) return piecesSold(marks, table);
  return null;
}

function counted(marks: MarkList, taken: readonly Mark[], { target }: FiguresContext): Figure {
  const aggregate = taken.find(({ letter }) => letter === "A")?.aggregate ?? null;
  if (aggregate === "average" && !target.perBucket)
    throw new NotUnderstood("an average number without what it is per");
  if (aggregate !== null && aggregate !== "average" && aggregate !== "sum")
    throw new NotUnderstood(`“${aggregate}” of a number of rows`);
  marks.take(/s/);
  return COUNT;
}

function amountOf(taken: readonly Mark[], context: FiguresContext): Figure {
  const measure = taken.find(({ letter }) => letter === "M");
  const aggregate = taken.find(({ letter }) => letter === "A")?.aggregate ?? null;
  const isMany = taken.some(({ letter }) => letter === "H");
  if (measure?.column === undefined) throw new NotUnderstood("an amount of what");
  if (isMany && measure.column.adds === "rate") throw new NotUnderstood(`a number of “${measure.text}”`);
  if (isMany && aggregate === null && !context.target.perRow)
    return { aggregate: "sum", column: measure.column };
  return measured(measure, aggregate, context);
}

function aggregatedOf(marks: MarkList, taken: readonly Mark[], context: FiguresContext): Figure {
  const aggregate = taken.find(({ letter }) => letter === "A")?.aggregate ?? "sum";
  const measure = taken.find(({ letter }) => letter === "M");
  if (measure !== undefined) return measured(measure, aggregate, context);
  if (aggregate === "sum" || (aggregate === "average" && context.target.perBucket))
    return counted(marks, taken, context);
  throw new NotUnderstood(`“${taken.map(({ text }) => text).join(" ")}”`);
}

/** A measure with its aggregate: as named, from the rank, or by default for its name. */
function measured(
  mark: Mark,
  said: Figure["aggregate"] | null,
  { rank, target, table, filters }: FiguresContext,
): Figure {
  const { column } = mark;
  if (column === undefined) throw new NotUnderstood(`“${mark.text}”`);
  if (said === "sum" && !canBeSummed(column, table))
    throw new NotUnderstood(`the sum of ${column.name}, which cannot be added up`);
  if (said !== null) return { aggregate: said, column };
  if (target.perRow || (mark.per === true && rank === null)) return { aggregate: "average", column };
  const end = rank === null || rank.isOrder ? null : rank.dir === "most" ? "highest" : "lowest";
  if (
    end !== null &&
    rank?.next === "M" &&
    column.adds !== "flow" &&
    !/^(most|least|fewest)$/i.test(rank.word)
  )
    return { aggregate: end, column };
  if (column.adds === "rate") {
    if (rank?.next === "M" && end !== null)
      throw new NotUnderstood(`“${rank.word} ${mark.text}”, which cannot be added up`);
    throw new NotUnderstood(`${column.name}: whether its average, its highest or its lowest`);
  }
  const isOneRow =
    table.label !== null &&
    filters.some((filter) => filter.kind === "values" && filter.column === table.label);
  if (column.adds === "other" && !isOneRow && rank === null && !isLabelled(target, table))
    throw new NotUnderstood(`${column.name}: whether its total or its average`);
  return { aggregate: "sum", column };
}

/** Every group is one row: `by employee` in a table of employees. */
function isLabelled({ columns }: Target, { label }: Table): boolean {
  return label !== null && columns.includes(label);
}

/** `revenue and number of orders by region`. */
export function furtherFigures(marks: MarkList, context: FiguresContext): readonly Figure[] {
  const figures: Figure[] = [];
  while (figures.length < 3 && marks.has(/[,&](?:A_*)?(?:H_*)?[ME]/)) {
    if (marks.marks.some(({ letter, text }) => letter === "A" && /^(?:sum|add)/i.test(text)))
      throw new NotUnderstood("a sum of different figures");
    marks.take(/[,&]+(?=(?:A_*)?(?:H_*)?[ME])/);
    const own = marks.has(/^_*A/);
    const isOther = marks.marks.some(({ letter, aggregate }) => letter === "A" && aggregate !== "sum");
    if (isOther && !own) throw new NotUnderstood("“and”: whether the average is of both");
    const figure = namedFigure(marks, context, null);
    // `revenue and orders by region`
    if (figure === null && marks.take(/E/) === null) throw new NotUnderstood("“and”");
    figures.push(figure ?? COUNT);
  }
  return figures;
}

/** A value in the plural, right behind `how many`. */
function isNounOfRows({ letter, text, column }: Mark, index: number, marks: readonly Mark[]): boolean {
  return (
    letter === "V" && marks[index - 1]?.letter === "H" && column?.joined === undefined && /[^s]s$/i.test(text)
  );
}

/** `how many tents were sold`. */
function piecesSold(marks: MarkList, table: Table): Figure {
  const column = piecesColumn(table);
  // `how many false alarms were there`, where a row is one and has no pieces
  if (column === null && marks.marks.some(isNounOfRows) && !marks.has(/[sDM]/)) {
    marks.take(/H/);
    return COUNT;
  }
  const isSold = marks.take(/s/) !== null;
  if (!isSold || column === null) throw new NotUnderstood("“how many” of what");
  marks.take(/H/);
  return { aggregate: "sum", column };
}
