/** The figures of a clause (aggregate and column), or the list of rows or values that it requests. */
import {
  COUNT,
  type Figures,
  type FiguresContext,
  type Groups,
  inheritedFigure,
  isPerson,
  namesPeople,
  moneySum,
  piecesColumn,
  plain,
  type Target,
  unitOf,
} from "./figures.ts";
import type { Mark, MarkList } from "../marks/marks.ts";
import { furtherFigures, namedFigure } from "./named-figure.ts";
import { type Figure, type Question, NotUnderstood } from "./question.ts";
import { stemsOf } from "../text/words.ts";
import { orderedBy, ranked } from "./ranked-figures.ts";

/** Spends the marks that determine the computation. */
export function readFigures(marks: MarkList, context: FiguresContext): Figures {
  const { table, growth, target, rank } = context;
  const contrast = marks.take(/R|[HU]_*Z/);
  if (marks.take(/K/) !== null && !growth) {
    const figure = namedFigure(marks, context, null) ?? (marks.take(/E/) === null ? moneySum(table) : COUNT);
    marks.takeAll(/E/);
    return { ...plain([figure]), shape: "share" };
  }
  if (contrast !== null) {
    const figure = namedFigure(marks, context, contrast[0]?.letter ?? null) ?? moneySum(table);
    const isLess = contrast.some(({ letter, dir }) => letter === "Z" && dir === "least");
    return { ...plain([figure]), contrast: true, isLess };
  }
  const counted = countedGroups(marks, context);
  if (counted !== null) return counted;
  const named = namedFigure(marks, context, null);
  const isCompared = marks.has(/r/) && rank === null && context.having.length === 0 && target.grouped === 0;
  // `orders by region`
  const isCount =
    named === null &&
    rank === null &&
    !growth &&
    target.grouped > 0 &&
    context.having.length === 0 &&
    marks.take(/E/) !== null;
  const first = named ?? (isCount ? COUNT : isCompared && !marks.has(/[DEB]/) ? moneySum(table) : null);
  const more = first === null ? [] : furtherFigures(marks, context);
  const groups = readTargets(marks, context, first);
  if (rank !== null && groups.columns.length > 1) throw new NotUnderstood("what is ranked");
  if (
    first !== null &&
    rank === null &&
    !growth &&
    groups.columns.length > 0 &&
    marks.has(/W/) &&
    context.having.length === 0 &&
    target.grouped === 0
  ) {
    throw new NotUnderstood(`which ${groups.columns[0]?.name} is wanted`);
  }
  marks.takeAll(/r/);
  if (growth)
    return {
      ...plain([
        first ??
          (marks.take(/E/) === null ? null : COUNT) ??
          target.by ??
          inheritedFigure(context) ??
          moneySum(table),
      ]),
      groups: joined(groups, target),
    };
  if (first === null && rank === null && context.having.length === 0 && target.by === null)
    return listOf(marks, context, groups);
  if (rank !== null) return ranked(marks, context, { first, more, groups });
  if (first === null && target.by !== null) return orderedBy(marks, context, groups);
  // `revenue of orders …`: the rows are summed anyway.
  if (first !== null) marks.takeAll(/E/);
  const figures = first === null ? context.having.map(({ figure }) => figure).slice(0, 1) : [first, ...more];
  return {
    ...plain(figures),
    shape: shapeFor(marks, context, figures[0]),
    groups: withBy(groups, context, first),
  };
}

function joined(groups: Groups, target: Target): Groups {
  return { ...groups, columns: [...target.columns, ...groups.columns] };
}

/** `revenue by discount`: a measure behind `by`, beside another one, is what the rows are grouped by. */
function withBy(groups: Groups, { target }: FiguresContext, first: Figure | null): Groups {
  if (target.by === null || first === null) return groups;
  if (target.by.column === null || target.by.aggregate === "average") throw new NotUnderstood("“by” a count");
  return { ...groups, columns: [...groups.columns, target.by.column] };
}

/** `average monthly revenue` is the mean of the months' sums. */
function shapeFor(
  marks: MarkList,
  { target, rank, having }: FiguresContext,
  figure: Figure | undefined,
): Question["shape"] {
  const isMean =
    figure?.aggregate === "average" ||
    marks.marks.some(({ letter, aggregate }) => letter === "A" && aggregate === "average");
  if (!isMean || target.bucket === null || !target.perBucket) return "figures";
  if (rank !== null) throw new NotUnderstood(`“${rank.word}” of an average per ${target.bucket}`);
  if (target.bucket === "day" && having.length > 0)
    throw new NotUnderstood("an average per day of days that meet a bound");
  if (["week", "weekday"].includes(target.bucket))
    throw new NotUnderstood(`an average per ${target.bucket}: whether those without rows count`);
  return "average";
}

/** `how many products`, `how many regions had more than 300 orders`. */
function countedGroups(marks: MarkList, { table, having, target }: FiguresContext): Figures | null {
  if (!marks.has(/H_*d?_*[DB]/) || marks.has(/H_*d?_*D_*[ME]/)) return null;
  const taken = marks.take(/H_*d?_*[DB]/) ?? [];
  const group = taken.find(({ letter }) => letter === "D" || letter === "B");
  if (group === undefined) return null;
  const bucket = group.letter === "B" ? unitOf(group, table) : null;
  const columns = group.column === undefined ? [] : [group.column];
  if (having.length > 0) {
    return {
      ...plain(having.map(({ figure }) => figure).slice(0, 1)),
      shape: "groups",
      groups: { columns, bucket, plural: true },
    };
  }
  const [column] = columns;
  if (column === undefined) throw new NotUnderstood(`a number of ${group.text}`);
  // `how many fabrics`, of a table of fabrics that has a column of that name.
  const isRow =
    table.entity !== null && stemsOf(table.entity).join() === column.words.join() && column !== table.label;
  if (isRow && !taken.some(({ letter }) => letter === "d"))
    throw new NotUnderstood(`“how many ${group.text}”: different ones (say so), or rows`);
  const isSold = marks.has(/s/) && !taken.some(({ letter }) => letter === "d");
  if (isSold && piecesColumn(table) !== null && target.grouped === 0) {
    throw new NotUnderstood(`“how many ${group.text}” sold: different ones, or pieces (say “units”)`);
  }
  // Each row has its own name: two donors with the same name are two.
  if (column === table.label && !taken.some(({ letter }) => letter === "d")) return plain([COUNT]);
  // `how many instruments were lent`: each loan, or different instruments. A key identifies one row of its table.
  const isKey = column.kind === "id" || column.joined !== undefined;
  if (!isKey && !taken.some(({ letter }) => letter === "d"))
    throw new NotUnderstood(`“how many ${group.text}”: rows, or different ones (say so)`);
  return plain([{ aggregate: "distinct", column }]);
}

/**
 * Columns and time units without `by`. Behind a value (`Kitchen products`) or behind `all`, beside a figure they are only
 * its noun; if it is unclear whether the figure is per item, neither reading is taken.
 */
function readTargets(
  marks: MarkList,
  { table, rank, having, growth }: FiguresContext,
  first: Figure | null,
): Groups {
  if (marks.take(/a_*[DB]/) !== null && marks.marks.every(({ aggregate }) => aggregate === undefined)) {
    throw new NotUnderstood("“all”: all together, or each");
  }
  const isAsked = rank !== null || having.length > 0 || growth || marks.has(/W/) || first === null;
  if (!isAsked) for (const noun of nounsOfValues(marks)) marks.spend(noun);
  const isPlain = !isAsked && !marks.marks.some(({ letter }) => letter === "r");
  if (isPlain && marks.has(/D/) && !isBeforeMeasure(marks))
    throw new NotUnderstood(`“${marks.left("D")[0]?.text ?? ""}”: all together, or each`);
  const found = marks
    .takeAll(/D(?:[,&]+D)*|B/)
    .flat()
    .filter(({ letter }) => letter === "D" || letter === "B");
  const columns = [...new Set(found.flatMap(({ column }) => (column === undefined ? [] : [column])))];
  const units = found.filter(({ letter }) => letter === "B").map((mark) => unitOf(mark, table));
  if (units.length > 1) throw new NotUnderstood("several units of time");
  return { columns, bucket: units[0] ?? null, plural: found.some(({ plural }) => plural === true) };
}

function nounsOfValues({ marks, letters }: MarkList): readonly Mark[] {
  return marks.filter(({ letter, column, plural }, index) => {
    if (letter !== "D" || letters[index] === "_") return false;
    const next = marks[index + 1];
    // `customers from Graz`, of orders that have a customer
    const isParent = column?.joined !== undefined && column.joined.table === next?.column?.joined?.table;
    return marks[index - 1]?.letter === "V" || (plural === true && next?.letter === "V" && isParent);
  });
}

/** `region revenue` is the revenue of each region. */
function isBeforeMeasure({ marks }: MarkList): boolean {
  return marks.every(
    ({ letter }, index) =>
      letter !== "D" || marks[index + 1]?.letter === "M" || marks[index - 1]?.letter === "G",
  );
}

/** `when did Rosa Delgado join`: the date of the named row. */
function whenOf(marks: MarkList, { table, filters, target }: FiguresContext): Figures | null {
  if (!marks.has(/q/)) return null;
  const date = marks.left("T")[0]?.column;
  const isOneRow = filters.some(
    (filter) =>
      filter.kind === "anywhere" ||
      (filter.kind === "values" &&
        !filter.negated &&
        (filter.column === table.label || filter.column.isOwnKey === true)),
  );
  if (date === undefined || !isOneRow || target.grouped > 0) throw new NotUnderstood("“when”");
  marks.takeAll(/[qTE]/);
  return { ...plain([]), shape: "rows", shown: [date] };
}

/** No figure is requested: the result is the rows, or the distinct values of columns. */
function listOf(marks: MarkList, context: FiguresContext, groups: Groups): Figures {
  const { target, table } = context;
  const when = whenOf(marks, context);
  if (when !== null) return when;
  const rows = marks.takeAll(/[Ew]/).flat();
  // `which nurses`: a plural value means the rows that have it.
  const [asked, value] = marks.marks;
  const isOfKind =
    rows.length === 0 &&
    groups.columns.length === 0 &&
    table.label !== null &&
    asked?.letter === "W" &&
    value?.letter === "V" &&
    value.column?.joined === undefined &&
    /^\p{Ll}.*[^s]s$/u.test(value.text);
  if (isOfKind && target.grouped === 0)
    return { ...plain([]), shape: "rows", groups: { ...groups, plural: true } };
  if (groups.bucket !== null || target.bucket !== null)
    throw new NotUnderstood("a time without what is to be computed");
  const columns = [...target.columns, ...groups.columns];
  if (target.columns.some(({ truth }) => truth !== undefined))
    throw new NotUnderstood("“by” without what is to be computed");
  const isWho = rows.some(({ letter }) => letter === "w");
  if (isWho && columns.length > 0 && !columns.some(isPerson))
    throw new NotUnderstood("“who”: no column is a name");
  // Values are listed once each anyway.
  if (columns.length > 0) marks.takeAll(/d/);
  if (columns.length > 0)
    return { ...plain([]), shape: "values", groups: { ...groups, columns: groups.columns } };
  if (rows.length === 0) throw new NotUnderstood("what is to be computed");
  if (isWho && !namesPeople(table)) throw new NotUnderstood("“who”");
  return { ...plain([]), shape: "rows", groups: { ...groups, plural: true } };
}
