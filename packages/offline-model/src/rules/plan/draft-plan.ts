/**
 * A plan by rules: each clause of the goal becomes the steps that find something out, with independent ones in parallel;
 * the requested products (charts, a text, files) become steps that refer to the findings.
 *
 * Only offered tools are used. The reasoning names anything that no tool can do.
 */
import type { PlanPrompt } from "../../prompt/plan-prompt.ts";
import { tablesOf } from "../sql/joined-tables.ts";
import { interpret } from "../data/interpret.ts";
import type { Table } from "../data/tables.ts";
import { readQuestions } from "../reader/read-questions.ts";
import { NOTICE, refusalText } from "../notice.ts";
import { splitGoal } from "../text/split-goal.ts";
import { addOutputs } from "./add-outputs.ts";
import { createContext, type DraftContext } from "./draft-context.ts";
import { asksLimit, findOut } from "./find-out.ts";
import { createStepList, type PlannedStep } from "./planned-step.ts";
import { plainText, withoutTemplates } from "./plain-text.ts";
import { readWishes } from "./read-wishes.ts";
import { REPEAT } from "../write/write-text.ts";

export type DraftedPlan = {
  readonly reasoning: string;
  readonly steps: readonly PlannedStep[];
  readonly answerFrom: string | null;
};

const CONSTRAINTS_KEPT = "The constraints are kept for the answer; rules cannot weigh them.";
const STEPS_MAX = 40;
/** The patterns of the rules can be quadratic in a text's length. */
const GOAL_CHARS_MAX = 8_000;

/** @param firstNumber - The number of the first step's id; later drafts of one plan continue counting. */
export function draftPlan(given: PlanPrompt, { firstNumber }: { firstNumber: number }): DraftedPlan {
  const goal = withoutTemplates(given.goal.slice(0, GOAL_CHARS_MAX).replace(/[^\S\n]+/g, " "));
  const prompt = { ...given, goal };
  const tables = tablesOf(prompt.data);
  const read = readWhole(prompt, firstNumber);
  if (read !== null) return read;
  const { texts, refusal: divided } = withFigures(withOpenings(splitGoal(prompt.goal)), tables);
  const clauses = texts.map((text) => ({ text, wishes: readWishes(text) }));
  const wantsReport = clauses.some(({ wishes }) => wishes.text === "report");
  const context = createContext({ ...prompt, tables, firstNumber, wantsReport });
  if (divided !== null) return refusedPlan(divided, context, firstNumber);
  for (const clause of clauses) if (context.list.steps.length < STEPS_MAX) findOut(clause, context);
  const isQueried = context.findings.some(({ query }) => query !== undefined);
  const [refusal] = [...context.refusals, ...(isQueried ? context.loose : [])];
  if (refusal !== undefined) return refusedPlan(refusal, context, firstNumber);
  addOutputs(prompt.goal, clauses, context);
  if (context.list.steps.length === 0) addHonestStep(prompt.goal, context);
  if (given.goal.length > GOAL_CHARS_MAX) {
    context.notes.add(`Only the first ${GOAL_CHARS_MAX} characters of the goal were read.`);
  }
  if (looksForeign(prompt.goal)) {
    context.notes.add(
      "The rules know English; of other languages they only recognise names and a few words.",
    );
  }
  noteSize(prompt, context);
  if (prompt.constraints.length > 0) {
    context.notes.add(CONSTRAINTS_KEPT);
  }
  return { reasoning: reasoningOf(context), steps: context.list.steps, answerFrom: null };
}

/** A goal that the tables account for as a whole: its query, or why it is ambiguous. */
function readWhole(prompt: PlanPrompt, firstNumber: number): DraftedPlan | null {
  const { goal, data } = prompt;
  const context = createContext({ ...prompt, tables: [], firstNumber, wantsReport: false });
  const { query } = context.roles;
  if (query === null || asksLimit(goal, context)) return null;
  const read = readQuestions(goal, data);
  if (read.kind === "unread") return null;
  if (read.kind === "ambiguous") {
    const choices = read.descriptions.slice(0, 4).map((text) => `“${text}”`);
    return refusedPlan(refusalText([], `it could mean ${choices.join(" or ")}`), context, firstNumber);
  }
  if (read.kind === "outside") return refusedPlan(refusalText([], read.reason), context, firstNumber);
  for (const { source, sql, description } of read.queries)
    context.list.add({
      tool: query.name,
      args: { source, sql: sql.text, ...(sql.params.length === 0 ? {} : { params: [...sql.params] }) },
      description,
      expectedOutput: "rows",
    });
  noteSize(prompt, context);
  if (prompt.constraints.length > 0) context.notes.add(CONSTRAINTS_KEPT);
  return { reasoning: reasoningOf(context), steps: context.list.steps, answerFrom: null };
}

/** The demo model cannot choose the number of steps for a goal. */
function noteSize({ size }: PlanPrompt, { list, notes }: DraftContext): void {
  const count = list.steps.length;
  if (size === null || (count >= (size.min ?? 0) && count <= (size.max ?? count))) return;
  const wanted = [
    size.min === null ? [] : `at least ${size.min}`,
    size.max === null ? [] : `at most ${size.max}`,
  ].flat();
  notes.add(
    `A plan of ${wanted.join(" and ")} steps was wanted; the demo model cannot choose the number of steps, and this goal takes it ${count}.`,
  );
}

const OPENING =
  /^(?:excluding|except(?:ing)?|apart from|aside from|without|not (?:counting|including)|leaving out|other than|ignor(?:e|ing)|besides|outside|in|for|during|since|after|before|between|from|among|within|on)\b/i;

/** `In March, how many orders …`: an opening without its own question belongs to the following question. */
function withOpenings(clauses: readonly string[]): readonly string[] {
  return clauses.flatMap((clause, index) => {
    const before = clauses[index - 1];
    const joined = before !== undefined && OPENING.test(before) ? `${clause}, ${before}` : clause;
    return OPENING.test(clause) && index < clauses.length - 1 ? [] : [joined];
  });
}

const FIGURE = /^(?:the\s+)?(?:average|total|number of|median)\s/i;
const CONDITION =
  /\s(?:by|per|in|for|of|on|from|since|before|after|between|without|except|excluding|above|below|over|under|with)\s/i;

/**
 * `total units and average revenue by category` is one question about two figures: the words after the second apply to the
 * first too. If it cannot be read so, and it remains open whether it should be, the goal is refused.
 */
function withFigures(
  clauses: readonly string[],
  tables: readonly Table[],
): { readonly texts: readonly string[]; readonly refusal: string | null } {
  const texts: string[] = [];
  for (const clause of clauses) {
    const before = texts.at(-1);
    if (before === undefined || !FIGURE.test(clause) || /[.?!]$/.test(before) || ASKS_WHICH.test(before)) {
      texts.push(clause);
      continue;
    }
    const whole = `${before} and ${clause}`;
    const read = interpret(whole, { tables, antecedent: null, ignored: new Set() });
    if (read.kind === "questions") texts.splice(-1, 1, whole);
    else if (CONDITION.test(clause.replace(FIGURE, "")) && isAboutTables(before, tables))
      return {
        texts,
        refusal: refusalText(
          [],
          `whether “${clause}” goes with “${before}”; ask for each in a sentence of its own`,
        ),
      };
    else texts.push(clause);
  }
  return { texts, refusal: null };
}

const ASKS_WHICH = /^(?:which|who|when|where|why)\b/i;

function isAboutTables(clause: string, tables: readonly Table[]): boolean {
  return interpret(clause, { tables, antecedent: null, ignored: new Set() }).kind === "questions";
}

/** One step that names what was not understood: an answer to the rest could be mistaken for an answer to the whole. */
function refusedPlan(refusal: string, { roles, notes }: DraftContext, firstNumber: number): DraftedPlan {
  const list = createStepList(firstNumber);
  const description = "Say why the goal cannot be answered";
  if (roles.write !== null) {
    const args = { prompt: `${REPEAT}${plainText(refusal)}` };
    list.add({ tool: roles.write.name, args, description, expectedOutput: "the reason" });
  } else if (roles.echo !== null) {
    list.add({
      tool: roles.echo.name,
      args: { value: plainText(refusal) },
      description,
      expectedOutput: "the reason",
    });
  }
  notes.add(refusal);
  return {
    reasoning: [`${NOTICE.charAt(0).toUpperCase()}${NOTICE.slice(1)}.`, ...notes].join(" "),
    steps: list.steps,
    answerFrom: null,
  };
}

function looksForeign(goal: string): boolean {
  const foreign =
    /\b(welche\w*|wie|und|der|die|das|ist|nicht|qué|cuál|cómo|los|las|una|quel\w*|quels?|les|est|dans|pour|avec)\b/iu;
  const english = /\b(the|which|what|how|is|are|of|and|for|who|to|in the)\b/i;
  return (foreign.test(goal) || /[^\p{ASCII}\p{P}\p{Sc}]{3,}/u.test(goal)) && !english.test(goal);
}

/** Nothing fits: one step whose result states that. */
function addHonestStep(goal: string, { list, roles, notes }: DraftContext): void {
  const text = plainText(goal).trim() || "…";
  if (roles.write !== null) {
    list.add({
      tool: roles.write.name,
      args: { prompt: text },
      description: "Say what can be said about the goal without any results",
      expectedOutput: "an honest sentence",
    });
  } else if (roles.echo !== null) {
    const value = `No offered tool fits this goal (${NOTICE}).`;
    list.add({
      tool: roles.echo.name,
      args: { value },
      description: "Say that no tool fits",
      expectedOutput: null,
    });
  }
  notes.add("No offered tool finds anything out for this goal.");
}

function reasoningOf({ list, notes }: DraftContext): string {
  const parallel = list.steps.filter(({ dependsOn }) => dependsOn.length === 0).length;
  const shape = `${list.steps.length} step${list.steps.length === 1 ? "" : "s"}; ${parallel} can start immediately.`;
  return [`${NOTICE.charAt(0).toUpperCase()}${NOTICE.slice(1)}.`, shape, ...notes].join(" ");
}
