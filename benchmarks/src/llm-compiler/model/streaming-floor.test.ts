import { expect, it } from "vitest";
import type { Question } from "../questions/question.ts";
import { searchMs, tokenCount } from "./latency.ts";
import { planLinesReply } from "./replies.ts";
import { floorOfQuestion, type ModelCall, streamingFloorMs, type TimedStep } from "./streaming-floor.ts";

/** Two tokens per line; the first token of gpt-4 arrives after 870 ms, the others every 40 ms. */
const plan = called({ model: "gpt-4", inputTokens: 1_000, reply: "a: 456\nb: 456\nc: 456\nanswer:" });
/** The last of its 7 tokens arrives after 350 + 450 + 100 ms. */
const reading = called({ model: "gpt-3.5", inputTokens: 1_000, reply: "x".repeat(28) });

function called(call: Omit<ModelCall, "outputTokens">): ModelCall {
  return { ...call, outputTokens: tokenCount(call.reply) };
}

const stepsTaking = (a: number, b: number, c: number): TimedStep[] => [
  { id: "a", needs: [], takesMs: a },
  { id: "b", needs: [], takesMs: b },
  { id: "c", needs: ["a", "b"], takesMs: c },
];

it("starts a step at the token that ends its line", () => {
  // The lines end in the tokens 1, 3 and 5, at 910, 990 and 1,070 ms; the reply ends at 870 + 7 * 40.
  expect(plan.outputTokens).toBe(7);
  expect(streamingFloorMs(stepsTaking(0, 0, 500), { plan, reading: undefined })).toBeCloseTo(1_570);
});

it("starts a step when its slowest input is ready, if that is later", () => {
  expect(streamingFloorMs(stepsTaking(600, 1_000, 10), { plan, reading: undefined })).toBeCloseTo(2_000);
});

it("does not end before the plan is written", () => {
  expect(streamingFloorMs(stepsTaking(0, 0, 0), { plan, reading: undefined })).toBeCloseTo(1_150);
});

it("adds the model that reads the results, to its last token", () => {
  expect(streamingFloorMs(stepsTaking(600, 1_000, 10), { plan, reading })).toBeCloseTo(2_900);
});

it("refuses a plan with too few lines", () => {
  expect(() => streamingFloorMs(stepsTaking(1, 1, 1).slice(1), { plan, reading })).toThrow(
    "wanted a line for each of 2 steps, got 3",
  );
});

const question: Question = {
  id: "1",
  text: "How much higher is A than B?",
  label: "5",
  searches: [
    { query: "A height (m)", text: "A.", value: 20 },
    { query: "B height (m)", text: "B.", value: 15 },
  ],
  calculations: [
    { id: "s3", description: "difference", expression: [{ step: "s1" }, " - ", { step: "s2" }], value: 5 },
  ],
  answerFrom: "s3",
  answer: "5",
};

it("is calculated from a question's plan lines, searches and model calls", () => {
  const lines = called({ model: "gpt-4", inputTokens: 1_000, reply: planLinesReply(question) });
  const [first = "", second = ""] = lines.reply.split("\n");
  const afterMs = (chars: number): number => 870 + Math.floor(chars / 4) * 40;
  const resultsMs = Math.max(
    afterMs(first.length) + searchMs("A height (m)"),
    afterMs(first.length + 1 + second.length) + searchMs("B height (m)"),
    870 + lines.outputTokens * 40,
  );
  expect(floorOfQuestion(question, [lines])).toBeCloseTo(resultsMs);
  const { answerFrom: _, ...read } = question;
  const readLines = called({ ...lines, reply: planLinesReply(read) });
  const restMs = (readLines.outputTokens - lines.outputTokens) * 40;
  expect(floorOfQuestion(read, [readLines, reading])).toBeCloseTo(
    Math.max(resultsMs, 870 + lines.outputTokens * 40 + restMs) + 900,
  );
});

it("refuses a question without a model call that reads the results", () => {
  const { answerFrom: _, ...read } = question;
  expect(() => floorOfQuestion(read, [plan])).toThrow("question 1: the model got 1 requests");
});
