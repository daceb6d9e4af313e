/** A question of a data set, with the searches and calculations that answer it. */
import { z } from "zod";

/** The common content of all data set files. */
export const Items = z.array(z.object({ id: z.string(), question: z.string(), answer: z.string() }));

export type Search = {
  /** The query that a model would write. */
  readonly query: string;
  /** The search result: some sentences, and the requested number if there is one. */
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

/** Searches are the steps `s1`, `s2`, …; calculations follow and can use any earlier step. */
export type Question = {
  readonly id: string;
  readonly text: string;
  /** The data set's own answer. */
  readonly label: string;
  readonly searches: readonly Search[];
  readonly calculations: readonly Calculation[];
  /** The calculation that is the answer, always the last; absent when a model must read the results. */
  readonly answerFrom?: string;
  /** The answer that a model would give after reading the results. */
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

/** Calculations grouped into rounds: those of one round need only the results of earlier rounds. */
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

/** The lines of a solutions file, without comments and empty lines. */
export function solutionLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** Whether an answer is right, by the rules of the data set's own repository. */
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
