/** The replies of a model to a question, for each way of prompting. Pure. */
import { type Calculation, expressionText, type Question, rounds, searchId } from "../questions/question.ts";

export type ToolCall = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** The tool that the benchmark's executor offers. */
export const SEARCH_TOOL = "web.search";
const CALCULATOR = "math.evaluate";

/** A plan in our planner's schema: every field, null for omitted values. */
export function planReply({ searches, calculations, answerFrom }: Question): string {
  const steps = [
    ...searches.map(({ query }, index) => ({
      id: searchId(index),
      description: `Look up ${query}`,
      tool: SEARCH_TOOL,
      args: { query },
    })),
    ...calculations.map((calculation) => ({
      id: calculation.id,
      description: `Calculate the ${calculation.description}`,
      tool: CALCULATOR,
      args: {
        expression: expressionText(calculation, (step) => `{{${step}.output.value}}`),
        variables: null,
      },
    })),
  ];
  return JSON.stringify({
    reasoning: reasoningOf(calculations),
    steps: steps.map((step) => ({ ...step, dependsOn: [], successCriteria: null, expectedOutput: null })),
    answerFrom: answerFrom ?? null,
  });
}

/** The same plan as lines, for a planner that expects lines. */
export function planLinesReply({ searches, calculations, answerFrom }: Question): string {
  return [
    ...searches.map(({ query }, index) => `${searchId(index)}: ${SEARCH_TOOL} ${JSON.stringify(query)}`),
    ...calculations.map((calculation) => {
      const expression = expressionText(calculation, (step) => `{{${step}.output.value}}`);
      return `${calculation.id}: ${CALCULATOR} ${JSON.stringify(expression)}`;
    }),
    `answer: ${answerFrom ?? "none"}`,
  ].join("\n");
}

/** The review of complete results: comparisons rely on all of them, calculations on the calculated values. */
export function judgementReply({ answer, calculations }: Question): string {
  return JSON.stringify({
    decision: "answer",
    reason: null,
    status: "success",
    text: answer,
    dataJson: null,
    sources: calculations.length === 0 ? null : calculations.map(({ id }) => id),
  });
}

/** The next turn of a reason-act loop: the thought, and one action or the answer. */
export function reactReply(question: Question, turn: number): string {
  const call = callsOf(question)[turn];
  if (call === undefined) return `Thought: I have everything that I need.\nFinal Answer: ${question.answer}`;
  const thought =
    call.tool === SEARCH_TOOL
      ? `I need to look up ${String(call.args["query"])}.`
      : `I need the ${question.calculations[turn - question.searches.length]?.description ?? ""}.`;
  return `Thought: ${thought}\nAction: ${call.tool}\nAction Input: ${JSON.stringify(call.args)}`;
}

/** The next batch of calls, as in parallel function calling: a list, or the answer. */
export function batchReply(question: Question, round: number): string {
  const batches = [
    question.searches.map(searchCall),
    ...rounds(question).map((batch) => batch.map((calculation) => calculatorCall(question, calculation))),
  ];
  const batch = batches[round];
  return batch === undefined ? `Final Answer: ${question.answer}` : JSON.stringify(batch);
}

function callsOf(question: Question): ToolCall[] {
  const calculations = question.calculations.map((calculation) => calculatorCall(question, calculation));
  return [...question.searches.map(searchCall), ...calculations];
}

function searchCall({ query }: Question["searches"][number]): ToolCall {
  return { tool: SEARCH_TOOL, args: { query } };
}

/** A model that has seen the results writes the numbers themselves. */
function calculatorCall({ searches, calculations }: Question, calculation: Calculation): ToolCall {
  const values = new Map<string, number | undefined>([
    ...searches.map(({ value }, index) => [searchId(index), value] as const),
    ...calculations.map(({ id, value }) => [id, value] as const),
  ]);
  const expression = expressionText(calculation, (step) => String(values.get(step)));
  return { tool: CALCULATOR, args: { expression } };
}

function reasoningOf(calculations: readonly Calculation[]): string {
  return calculations.length === 0
    ? "Look up each of them, then compare."
    : "Look up every quantity, then calculate.";
}
