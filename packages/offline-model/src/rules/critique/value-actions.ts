/** What the actions of a tree search are worth: whether they found anything, and how much of the goal is covered. */
import type { StepResult } from "../../prompt/plan-prompt.ts";
import type { ValuesPrompt } from "../../prompt/critique-prompt.ts";
import { tellOutput } from "../judge/tell-output.ts";
import { NOTICE } from "../notice.ts";
import { coverage } from "../text/words.ts";

/** Where so much of the goal is named by what was found, rules have nothing more to look for. */
const SOLVED_FROM = 0.6;

type ActionValues = {
  readonly values: readonly {
    readonly id: string;
    readonly value: number;
    readonly solved: boolean;
    readonly reason: string;
  }[];
};

export function valueActions({ goal, path, actions }: ValuesPrompt): ActionValues {
  const before = path.map((result) => tellOutput(result, goal).text).join(" ");
  return { values: actions.map((action) => valueOf(action, goal, before)) };
}

function valueOf(action: StepResult, goal: string, before: string): ActionValues["values"][number] {
  const told = tellOutput(action, goal);
  const share = coverage(goal, `${before} ${told.text}`);
  const isUseful = told.isFinding && !told.isUnable;
  const value = isUseful ? 0.4 + 0.6 * share : 0.1;
  const what = isUseful
    ? `it found something, and names ${Math.round(100 * share)} % of the goal's words`
    : "it found nothing";
  return {
    id: action.id,
    value: Math.round(100 * value) / 100,
    solved: isUseful && share >= SOLVED_FROM,
    reason: `${what} (${NOTICE})`,
  };
}
