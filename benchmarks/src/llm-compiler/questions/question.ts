/** A question of a data set, with what it takes to answer it. */
import { z } from "zod";

/** What the files of all data sets hold. */
export const Items = z.array(z.object({ id: z.string(), question: z.string(), answer: z.string() }));

export type Search = {
  /** What a model would type. */
  readonly query: string;
  /** What the search finds: some sentences, and the figure in question if there is one. */
  readonly text: string;
  readonly value?: number;
};

/** A piece of an expression: text, or the value of an earlier step by its id. */
export type ExpressionPart = string | { readonly step: string };

export type Calculation = {
  readonly id: string;
  readonly description: string;
  readonly expression: readonly ExpressionPart[];
  readonly value: number;
};

/** Searches are the steps `s1`, `s2`, …; calculations follow and may use any step before them. */
export type Question = {
  readonly id: string;
  readonly text: string;
  /** The data set's own answer. */
  readonly label: string;
  readonly searches: readonly Search[];
  readonly calculations: readonly Calculation[];
  /** The last calculation is the answer; absent when the results have to be read. */
  readonly answerFrom?: string;
  /** What a reader of the results would answer. */
  readonly answer: string;
};

export const searchId = (index: number): string => `s${index + 1}`;

/** The expression with each step's value written by `write`. */
export function expressionText(
  { expression }: Pick<Calculation, "expression">,
  write: (step: string) => string,
): string {
  return expression.map((part) => (typeof part === "string" ? part : write(part.step))).join("");
}

/** Calculations by how many others they wait for: those of one round need only what the rounds before gave. */
export function rounds({ calculations }: Pick<Question, "calculations">): Calculation[][] {
  const roundOf = new Map<string, number>();
  const found: Calculation[][] = [];
  for (const calculation of calculations) {
    const needs = calculation.expression.flatMap((part) => (typeof part === "string" ? [] : [part.step]));
    const round = Math.max(0, ...needs.map((step) => (roundOf.get(step) ?? -1) + 1));
    roundOf.set(calculation.id, round);
    (found[round] ??= []).push(calculation);
  }
  return found;
}

/** The lines of a file of solutions, without comments and empty ones. */
export function solutionLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** Whether an answer is right, as the data set's own repository decides it. */
export function isRight(answer: string, label: string): boolean {
  const wanted = Number(label);
  if (label.trim() !== "" && Number.isFinite(wanted)) {
    const given = Number(answer);
    return given > 0.9 * wanted && given < 1.1 * wanted;
  }
  return plain(answer) === plain(label);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, "")
    .replace(/\b(?:a|an|the)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
