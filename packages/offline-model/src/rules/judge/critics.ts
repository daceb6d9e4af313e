/** Whether a plan has steps that repeat each other, lead nowhere or name a tool that does not exist. */
import type {
  AnswerCritiquePrompt,
  DraftStep,
  PlanCritiquePrompt,
  StepCritiquePrompt,
  ValuesPrompt,
} from "../../prompt/critique-prompt.ts";
import type { StepResult } from "../../prompt/plan-prompt.ts";
import { readOutput } from "./read-output.ts";
import { tellOutput } from "./tell-output.ts";
import { NOTICE } from "../notice.ts";
import { shorten } from "../text/format-value.ts";
import { coverage } from "../text/words.ts";
import { isUnableText } from "../write/unable-text.ts";

/** If the results name this share of the goal, rules have nothing more to look for. */
const SOLVED_FROM = 0.6;

/** Rules recognize what is clearly wrong, but little of what is right. */
const CONFIDENCE = { approving: 0.3, rejecting: 0.7 } as const;

const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
/** Whole numbers below this may be counts. */
const COUNTS_MAX = 1_000;
const ISSUES_MAX = 5;

/** The outputs of these are lost unless a step uses them. */
const FINDS_OUT = new Set(["sql.query", "docs.search", "http.fetch", "math.evaluate", "files.read"]);

export function judgePlan({ goal, tools, steps, answerFrom }: PlanCritiquePrompt): Findings {
  const issues = [
    ...(steps.length === 0 ? ["The plan has no steps."] : []),
    ...steps.filter(({ tool }) => tools.length > 0 && !tools.includes(tool)).map(unknownTool),
    ...repeated(steps),
    ...(answerFrom === null ? [] : unused(steps, answerFrom)),
  ];
  const looked = "for steps that repeat others, that nobody uses, or whose tool is not offered";
  const said = steps.map(({ description, args }) => `${description} ${JSON.stringify(args)}`).join(" ");
  return findingsOf(issues, { looked, likeness: coverage(goal, said) });
}

function unknownTool({ id, tool }: DraftStep): string {
  return `Step ${id} uses ${tool}, which is not offered.`;
}

function repeated(steps: readonly DraftStep[]): string[] {
  const seen = new Map<string, string>();
  return steps.flatMap(({ id, tool, args, needs }) => {
    const content = JSON.stringify([tool, args, needs]);
    const first = seen.get(content);
    if (first === undefined) seen.set(content, id);
    return first === undefined || !FINDS_OUT.has(tool) ? [] : [`Step ${id} repeats step ${first}.`];
  });
}

function unused(steps: readonly DraftStep[], answerFrom: string): string[] {
  const used = new Set([answerFrom, ...steps.flatMap(({ needs }) => needs)]);
  return steps
    .filter(({ id, tool }) => FINDS_OUT.has(tool) && !used.has(id))
    .map(({ id }) => `Nobody uses what step ${id} finds out.`);
}

/** Whether an answer has content, and whether its figures occur in the results. */
export function judgeAnswer({ goal, results, draft }: AnswerCritiquePrompt): Findings {
  const issues: string[] = [];
  if (draft.trim() === "") issues.push("The answer is empty.");
  else if (isUnableText(draft)) issues.push("The answer says that it could not be given.");
  else issues.push(...strayFigures(draft, `${goal} ${JSON.stringify(results)}`));
  const looked =
    "whether there is an answer, whether its figures stand in the results, and how much of the goal it names";
  return findingsOf(issues, { looked, likeness: coverage(goal, draft) });
}

/** Figures that occur in none of the results, even rounded or as a percentage. */
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

/** `slack` is half a unit of the last digit. */
type Figure = { readonly text: string; readonly value: number; readonly slack: number };

function figuresOf(text: string): Figure[] {
  return Array.from(text.matchAll(NUMBER), ([found]) => {
    const plain = found.replaceAll(",", "");
    const decimals = plain.split(".")[1]?.length ?? 0;
    return { text: found, value: Number(plain), slack: 0.500_001 * 10 ** -decimals };
  });
}

/** Whether a step has delivered anything, and how much of its task the result names. */
export function judgeStep({ goal, step, output }: StepCritiquePrompt): Findings {
  const { description, successCriteria, expectedOutput } = step;
  const wanted = [successCriteria ?? "", expectedOutput ?? ""].join(" ").trim() || description || goal;
  const told = tellOutput({ id: "step", description, tool: "", status: "succeeded", output }, goal);
  const said = typeof output === "string" ? output : JSON.stringify(output ?? "");
  const issues: string[] = [];
  const isText = readOutput(output).kind === "text" || typeof output === "string";
  if (told.isUnable && isText) issues.push("The text says that it could not be written.");
  else if (!told.isFinding) issues.push("The output has nothing in it.");
  const looked = "whether there is an output, and how many words of what was wanted it names";
  return findingsOf(issues, { looked, likeness: coverage(wanted, said) });
}

/** The reviews by the rules, which always identify themselves as rules. */
type Findings = {
  readonly approved: boolean;
  readonly score: number;
  readonly confidence: number;
  readonly issues: readonly string[];
  readonly suggestion: string;
  readonly replan: null;
};

/**
 * @param looked - What the rules have examined, as a clause.
 * @param likeness - From 0 to 1: how closely it matches what was wanted.
 */
function findingsOf(
  issues: readonly string[],
  { looked, likeness }: { readonly looked: string; readonly likeness: number },
): Findings {
  const approved = issues.length === 0;
  const score = approved ? 0.6 + 0.4 * likeness : 0.4 * likeness;
  return {
    approved,
    score: Math.round(100 * score) / 100,
    confidence: approved ? CONFIDENCE.approving : CONFIDENCE.rejecting,
    issues: issues.map((issue) => `${issue} (${NOTICE})`),
    suggestion: `Judged by an ${NOTICE}: it has only looked ${looked}.`,
    replan: null,
  };
}

/** The values of a tree search's actions: whether they found anything, and how much of the goal is covered. */
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
    ? `it found something, and names ${Math.round(100 * share)}% of the goal's words`
    : "it found nothing";
  return {
    id: action.id,
    value: Math.round(100 * value) / 100,
    solved: isUseful && share >= SOLVED_FROM,
    reason: `${what} (${NOTICE})`,
  };
}
