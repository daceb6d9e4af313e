/** Which end of a list is requested, and how much of it: `top 3`, `second highest`, `cheapest`, `sorted by revenue`. */
import { NotUnderstood } from "./question.ts";
import type { Letter, Mark, MarkList, Reading } from "../marks/marks.ts";
import type { Column, Table } from "./tables.ts";

export type Rank = {
  readonly dir: "most" | "least";
  /** The number of ranks; null if the clause does not specify it. */
  readonly count: number | null;
  /** Only the rank `count`. */
  readonly only: boolean;
  /** The column that an adjective measures. */
  readonly column: Column | null;
  /** `first order`: by date. */
  readonly byDate: boolean;
  readonly readings: readonly Reading[];
  /** The word, and the kind of what follows it. */
  readonly word: string;
  readonly next: Letter | null;
  /** Orders the whole list instead of selecting a part. */
  readonly isOrder: boolean;
};

/** Spends the words of a rank. */
export function readRank(marks: MarkList, table: Table): Rank | null {
  const letters = marks.letters;
  const taken = marks.take(/O?S_*N|N_*S|O?S(?:_*S)?/);
  if (taken === null) return readOrder(marks);
  const [main, second] = taken.filter(({ letter }) => letter === "S");
  if (main === undefined) return null;
  if (marks.left("S").length > 0) return rankOfTwo(marks, main, { letters, table, taken });
  const lead = second === undefined ? main : { ...main, ...second };
  if (second !== undefined && second.dir !== main.dir)
    throw new NotUnderstood(`both “${main.text}” and “${second.text}”`);
  return rankOf(lead, { marks, taken, letters });
}

type Found = { readonly letters: string; readonly taken: readonly Mark[] };

/** `top 5 best-selling products`: one word gives the number, the other the figure. */
function rankOfTwo(
  marks: MarkList,
  first: Mark,
  { letters, taken }: Found & { readonly table: Table },
): Rank {
  const [second, third] = marks.left("S");
  if (second === undefined || third !== undefined || second.dir !== first.dir) {
    throw new NotUnderstood(`“${first.text}” and “${second?.text ?? ""}” together`);
  }
  marks.spend(second);
  return rankOf({ ...first, ...second }, { marks, taken, letters });
}

function rankOf(lead: Mark, { marks, taken, letters }: Found & { readonly marks: MarkList }): Rank {
  const ordinal = taken.find(({ letter }) => letter === "O")?.number ?? null;
  if (taken.some(({ isPercent }) => isPercent === true)) throw new NotUnderstood("a top percentage");
  const number = taken.find(({ letter }) => letter === "N")?.number ?? countBeforeNoun(marks);
  if (ordinal !== null && number !== null) throw new NotUnderstood("a rank and a number of ranks");
  const count = ordinal ?? number;
  if (count !== null && (!Number.isInteger(count) || count < 1 || count > 1_000))
    throw new NotUnderstood(`a rank of ${count}`);
  const index = marks.marks.findIndex((mark) => mark.letter === "S" && mark.text === lead.text);
  return {
    dir: lead.dir ?? "most",
    count,
    only: ordinal !== null,
    column: lead.column ?? null,
    byDate: lead.byDate === true,
    readings: lead.readings ?? [],
    word: lead.needs === "price" ? `${lead.text} price` : lead.text,
    next: nextLetter(marks, letters, index),
    isOrder: false,
  };
}

/** `the 5 regions with the most units`. */
function countBeforeNoun(marks: MarkList): number | null {
  if (!marks.has(/N[DBE]/)) return null;
  const number = marks.left("N")[0];
  if (number === undefined) return null;
  marks.spend(number);
  return number.number ?? null;
}

/** The kind of the first mark behind a position that names the ranked items; marks that select rows come in between. */
function nextLetter(marks: MarkList, letters: string, index: number): Letter | null {
  const rest = marks.marks
    .slice(index + 1)
    .find(({ letter }, offset) => !"VPzNOSF,".includes(letter) && letters[index + 1 + offset] !== "_");
  return rest?.letter ?? null;
}

function readOrder(marks: MarkList): Rank | null {
  const taken = [...marks.takeAll(/[nv]/).flat(), ...(marks.has(/oM/) ? (marks.take(/o(?=M)/) ?? []) : [])];
  if (taken.length === 0) return null;
  const dir = taken.find((mark) => mark.letter === "v")?.dir ?? "most";
  return {
    dir,
    count: null,
    only: false,
    column: null,
    byDate: false,
    readings: [],
    word: "sorted",
    next: null,
    isOrder: true,
  };
}
