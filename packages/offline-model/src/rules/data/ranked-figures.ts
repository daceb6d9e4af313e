/** The subject of a rank: groups by a figure, rows by a column, or the several meanings of `best-selling`. */
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
  moneyColumn,
} from "./figures.ts";
import { isTrade } from "../marks/row-marks.ts";
import type { Mark, MarkList, Reading } from "../marks/marks.ts";
import { type Figure, NotUnderstood } from "./question.ts";
import type { Rank } from "./read-rank.ts";
import type { Table } from "./tables.ts";

/** The counted noun follows. */
const MOST = /^(?:most|least|fewest)$/i;

type Ranking = { readonly first: Figure | null; readonly more: readonly Figure[]; readonly groups: Groups };

export function ranked(marks: MarkList, context: FiguresContext, ranking: Ranking): Figures {
  const { rank, target, table } = context;
  const { first, more } = ranking;
  const groups = byPerson(marks, context, ranking);
  if (rank === null) throw new NotUnderstood("a rank");
  const rowMark = marks.left("Ew")[0] ?? null;
  const columns = [...groups.columns, ...target.columns];
  const bucket = groups.bucket ?? target.bucket;
  const hasGroups = columns.length > 0 || bucket !== null;
  if (columns.length > 0 && bucket !== null)
    throw new NotUnderstood(
      `“${rank.word}” of what: ${columns.map(({ name }) => name).join(", ")} or a time`,
    );
  // `highest fee per specialty`: the highest of each, or the specialty that has it.
  if (rank.count === null && /SMG[DB]/.test(marks.marks.map(({ letter }) => letter).join("")))
    throw new NotUnderstood(`“${rank.word}” of each, or which has it`);
  const adjective = rank.column ?? (rank.word.endsWith(" price") ? (first?.column ?? null) : null);
  if (rank.word.endsWith(" price") && adjective === null)
    throw new NotUnderstood(`“${rank.word}”: no column is a price`);
  if (rank.byDate) return datedRows(marks, context, { hasGroups, first, rowMark, groups });
  const end: Figure["aggregate"] = rank.dir === "most" ? "highest" : "lowest";
  // `the heaviest goat` is a row of the value.
  const isOfValue = adjective !== null && table.label !== null && marks.marks.some(isBehindRank(rank));
  if ((rowMark !== null || isOfValue) && !hasGroups) {
    marks.takeAll(/[Ew]/);
    if (rowMark?.letter === "w" && !namesPeople(table)) throw new NotUnderstood("“who”: no column is a name");
    const money = moneyColumn(table);
    if (rowMark !== null && rank.word.endsWith("expensive") && money !== null && money !== adjective)
      throw new NotUnderstood(
        `“${rank.word} ${rowMark.text}”: by ${adjective?.name ?? "what"} or by another amount`,
      );
    const column =
      adjective ??
      first?.column ??
      target.by?.column ??
      (table.label === null && isTrade(table) ? moneyColumn(table) : null);
    if (column === null || more.length > 0) throw new NotUnderstood(`“${rank.word}” by what`);
    return {
      ...plain([{ aggregate: end, column }]),
      shape: "rows",
      groups: { ...groups, columns: [], plural: rowMark?.plural ?? groups.plural },
      orderBy: column,
      shown: marks.takeAll(/k/).flatMap(([mark]) => (mark?.column === undefined ? [] : [mark.column])),
    };
  }
  if (adjective !== null) return { ...plain([{ aggregate: end, column: adjective }]), groups };
  if (!hasGroups && !rank.isOrder) {
    if (first === null || first.column === null || first.aggregate === "count")
      throw new NotUnderstood(`“${rank.word}” of what`);
    return plain([rank.next === "M" ? { aggregate: end, column: first.column } : first]);
  }
  // `who is the largest segment` can be any group; `who has the most books` does not ask for a book.
  const who = hasGroups ? marks.take(/w/) : null;
  if (who !== null && MOST.test(rank.word) && !columns.some(isPerson))
    throw new NotUnderstood("“who”: no column is a name");
  const isOften = rank.readings.length === 1 && rank.readings[0] === "count" && first === null;
  if (isOften) marks.takeAll(/[Es]/);
  const named = isOften
    ? COUNT
    : (first ?? target.by ?? ofRows(marks, rowMark, rank, table) ?? piecesOfValue(marks, rank, table));
  // `the highest parts cost in repairs`: the rows are summed anyway.
  if (first !== null && hasGroups) marks.takeAll(/E/);
  if (
    named?.aggregate === "count" &&
    rank.dir === "least" &&
    columns.some(({ joined }) => joined !== undefined)
  )
    throw new NotUnderstood(`“${rank.word}”: whether those without any count`);
  if (named !== null) return { ...plain([named, ...more]), groups };
  const inherited = inheritedFigure(context);
  if (rank.readings.length > 0 && inherited?.aggregate === "sum") return { ...plain([inherited]), groups };
  if (rank.readings.length > 0) return { ...plain([]), readings: readingsOf(rank.readings, table), groups };
  return { ...plain([inherited ?? moneyOfRank(rank, table)]), groups };
}

/** `who paid the highest fees`, if one column of the rows is a person. */
function byPerson(marks: MarkList, { table, target }: FiguresContext, { first, groups }: Ranking): Groups {
  const isOpen = groups.columns.length === 0 && groups.bucket === null && target.grouped === 0;
  if (first === null || !isOpen || namesPeople(table) || !marks.has(/w/) || marks.has(/E/)) return groups;
  const people = table.columns.filter(
    (column) => column.kind === "dimension" && column.joined === undefined && isPerson(column),
  );
  return people.length === 1 ? { ...groups, columns: people } : groups;
}

/** If rows are trades, `the best region` has the most money; the strongest beer and the largest room do not. */
function moneyOfRank({ word }: Rank, table: Table): Figure {
  if (/^(?:strong|weak|fast|slow|poor)est$/i.test(word) || !isTrade(table))
    throw new NotUnderstood(`“${word}” by what`);
  return moneySum(table);
}

/** A value of a column other than the one that names rows, directly behind the rank. */
function isBehindRank({ word }: Rank): (mark: Mark, index: number, marks: readonly Mark[]) => boolean {
  return ({ letter, column }, index, marks) =>
    letter === "V" &&
    column?.truth === undefined &&
    marks[index - 1]?.letter === "S" &&
    marks[index - 1]?.text === word;
}

/** `which region sells the most tents` asks about pieces. */
function piecesOfValue({ marks }: MarkList, { word }: Rank, table: Table): Figure | null {
  const at = marks.findIndex(({ letter, text }) => letter === "S" && text === word);
  const column = piecesColumn(table);
  if (!MOST.test(word) || marks[at + 1]?.letter !== "V") return null;
  if (column === null) throw new NotUnderstood(`“${word} ${marks[at + 1]?.text ?? ""}” by what`);
  return { aggregate: "sum", column };
}

/** `which region has the most orders` counts rows; `the largest order` is the one with the largest sum of money. */
function ofRows(marks: MarkList, mark: Mark | null, rank: Rank, table: Table): Figure | null {
  if (mark === null) return null;
  marks.spend(mark);
  if (MOST.test(rank.word) && mark.letter === "E") return COUNT;
  if (mark.letter === "w" || rank.next !== "E") return null;
  const column = moneyColumn(table);
  if (column === null) throw new NotUnderstood(`“${rank.word} ${mark.text}”`);
  return { aggregate: rank.dir === "most" ? "highest" : "lowest", column };
}

type DatedRows = {
  readonly hasGroups: boolean;
  readonly first: Figure | null;
  readonly rowMark: Mark | null;
  readonly groups: Groups;
};

function datedRows(
  marks: MarkList,
  { rank, table }: FiguresContext,
  { hasGroups, first, rowMark, groups }: DatedRows,
): Figures {
  // The named date, as with `hired`, else the first one.
  const named = marks.marks.find(({ letter }) => letter === "T")?.column;
  const date = named ?? table.columns.find(({ kind }) => kind === "date");
  const [column, ...others] = groups.columns;
  const isOfRows = !hasGroups || (column === table.label && others.length === 0 && groups.bucket === null);
  const isCalled = rowMark !== null || (column !== undefined && column === table.label);
  if (date === undefined || !isOfRows || first !== null || !isCalled)
    throw new NotUnderstood(`“${rank?.word ?? ""}”`);
  if (rowMark?.letter === "w" && !namesPeople(table)) throw new NotUnderstood("“who”: no column is a name");
  if (rowMark !== null) marks.spend(rowMark);
  marks.takeAll(/[qT]/);
  return {
    ...plain([]),
    shape: "rows",
    groups: { ...groups, columns: [], plural: rowMark?.plural ?? groups.plural },
    orderBy: date,
    shown: marks.takeAll(/k/).flatMap(([mark]) => (mark?.column === undefined ? [] : [mark.column])),
  };
}

function readingsOf(readings: readonly Reading[], table: Table): readonly (readonly Figure[])[] {
  const pieces = piecesColumn(table);
  const money = moneyColumn(table);
  const figures = readings.flatMap((reading): Figure[] => {
    if (reading === "count") return [COUNT];
    const column = reading === "pieces" ? pieces : money;
    return column === null ? [] : [{ aggregate: "sum", column }];
  });
  if (figures.length === 0) throw new NotUnderstood("what is sold");
  return figures.map((figure) => [figure]);
}

/** `the competitors by sales`, `products by units`: the whole list, ordered by a figure. */
export function orderedBy(marks: MarkList, { target, table }: FiguresContext, groups: Groups): Figures {
  const rows = marks.take(/E/)?.[0];
  const by = target.by;
  if (by === null) throw new NotUnderstood("an order");
  const columns = [...target.columns, ...groups.columns];
  if (rows !== undefined && columns.length === 0 && groups.bucket === null) {
    if (by.column === null) throw new NotUnderstood("an order of rows by a number of rows");
    return { ...plain([by]), shape: "rows", groups: { ...groups, plural: true }, orderBy: by.column };
  }
  if (columns.length === 0 && groups.bucket === null) throw new NotUnderstood("what is to be listed");
  if (rows !== undefined || (columns.length === 1 && columns[0] === table.label && by.column === null))
    throw new NotUnderstood("what is to be listed");
  return { ...plain([by]), groups };
}
