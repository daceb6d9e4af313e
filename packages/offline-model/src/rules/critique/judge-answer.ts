/** Whether an answer has content, and whether its figures occur in the results. */
import type { AnswerCritiquePrompt } from "../../prompt/critique-prompt.ts";
import { shorten } from "../text/format-value.ts";
import { coverage } from "../text/words.ts";
import { isUnableText } from "../write/unable-text.ts";
import { type Findings, findingsOf } from "./findings.ts";

const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
/** Whole numbers below this may count what is there. */
const COUNTS_MAX = 1_000;
const ISSUES_MAX = 5;

export function judgeAnswer({ goal, results, draft }: AnswerCritiquePrompt): Findings {
  const issues: string[] = [];
  if (draft.trim() === "") issues.push("The answer is empty.");
  else if (isUnableText(draft)) issues.push("The answer says that it could not be given.");
  else issues.push(...strayFigures(draft, `${goal} ${JSON.stringify(results)}`));
  const looked =
    "whether there is an answer, whether its figures stand in the results, and how much of the goal it names";
  return findingsOf(issues, { looked, likeness: coverage(goal, draft) });
}

/** Figures that are in none of the results, also when they are rounded or read as a percentage. */
function strayFigures(draft: string, known: string): string[] {
  const there = figuresOf(known).map(({ value }) => value);
  const isThere = ({ value, slack }: Figure): boolean =>
    there.some((other) => Math.abs(other - value) <= slack || Math.abs(100 * other - value) <= slack);
  const stray = figuresOf(draft).filter(
    (figure) => !(Number.isInteger(figure.value) && figure.value < COUNTS_MAX) && !isThere(figure),
  );
  const words = [...new Set(stray.map(({ text }) => text))].slice(0, ISSUES_MAX);
  return words.map((text) => `The figure ${shorten(text, 40)} is in none of the results.`);
}

/** `slack` is half of what the last digit stands for. */
type Figure = { readonly text: string; readonly value: number; readonly slack: number };

function figuresOf(text: string): Figure[] {
  return Array.from(text.matchAll(NUMBER), ([found]) => {
    const plain = found.replaceAll(",", "");
    const decimals = plain.split(".")[1]?.length ?? 0;
    return { text: found, value: Number(plain), slack: 0.500_001 * 10 ** -decimals };
  });
}
