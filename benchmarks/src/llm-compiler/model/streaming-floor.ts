/**
 * The duration of an answer from the simulated latencies alone, as if the system that runs the plan took no time. Pure; times
 * are milliseconds since the question.
 *
 * A step starts at the token that ends its line, or once its inputs are ready. The answer is a step's output, or the text of a
 * model that is called as soon as the plan is written and every step has ended.
 */
import { type Question, searchId } from "../questions/question.ts";
import { type ModelName, searchMs, tokensOf, tokenTimesMs } from "./latency.ts";

/** One request to the simulated model, and its reply. */
export type ModelCall = {
  readonly model: ModelName;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reply: string;
};

/** A step, in the order of the plan's lines: it depends only on earlier steps. */
export type TimedStep = { readonly id: string; readonly needs: readonly string[]; readonly takesMs: number };

/** The floor of one question, from the requests that the system made for it with streaming dispatch. */
export function floorOfQuestion(question: Question, calls: readonly ModelCall[]): number {
  const plan = calls[0];
  const reading = question.answerFrom === undefined ? calls.at(-1) : undefined;
  if (plan === undefined || (question.answerFrom === undefined && calls.length < 2)) {
    throw new RangeError(`question ${question.id}: the model got ${calls.length} requests`);
  }
  return streamingFloorMs(stepsOf(question), { plan, reading });
}

/**
 * @param calls.plan - Its reply has one line per step, and a last line that is not a step.
 * @param calls.reading - The request that reads the results; absent: the answer is a step's output.
 * @throws {RangeError} When the plan's reply has a different number of lines.
 */
export function streamingFloorMs(
  steps: readonly TimedStep[],
  { plan, reading }: { plan: ModelCall; reading: ModelCall | undefined },
): number {
  const lineEndsMs = lineTimesMs(plan);
  if (lineEndsMs.length !== steps.length) {
    throw new RangeError(`wanted a line for each of ${steps.length} steps, got ${lineEndsMs.length}`);
  }
  const doneMs = new Map<string, number>();
  for (const [index, { id, needs, takesMs }] of steps.entries()) {
    const inputsMs = needs.map((step) => doneMs.get(step) ?? 0);
    doneMs.set(id, Math.max(lineEndsMs[index] ?? 0, ...inputsMs) + takesMs);
  }
  const resultsMs = Math.max(lastTokenMs(plan), ...doneMs.values());
  return resultsMs + (reading === undefined ? 0 : lastTokenMs(reading));
}

/** Calculations take no time: only models and searches are simulated. */
function stepsOf({ searches, calculations }: Question): TimedStep[] {
  return [
    ...searches.map(({ query }, index) => ({ id: searchId(index), needs: [], takesMs: searchMs(query) })),
    ...calculations.map(({ id, expression }) => ({
      id,
      needs: expression.flatMap((part) => (typeof part === "string" ? [] : [part.step])),
      takesMs: 0,
    })),
  ];
}

/** The time at which each line's end is written, except for the last line, which has none. */
function lineTimesMs(call: ModelCall): number[] {
  const atMs = tokenTimesMs(call.model, call);
  return tokensOf(call.reply).flatMap((token, index) => Array.from(token.matchAll(/\n/g), () => atMs(index)));
}

function lastTokenMs(call: ModelCall): number {
  return tokenTimesMs(call.model, call)(call.outputTokens);
}
