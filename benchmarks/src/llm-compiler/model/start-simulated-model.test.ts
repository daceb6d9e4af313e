import { expect, it } from "vitest";
import { batchLoop, reactLoop } from "../modes/run-mode.ts";
import { isRight, type Question } from "../questions/question.ts";
import { recognise } from "./start-simulated-model.ts";
import type { ToolCall } from "./replies.ts";

const question: Question = {
  id: "1",
  text: "Which of the two is higher?",
  label: "B",
  searches: [
    { query: "A height (m)", text: 'A. It is "10 m" high.', value: 10 },
    { query: "B height (m)", text: "B. It is 20 m high.", value: 20 },
  ],
  calculations: [
    { id: "s3", description: "changed height of A", expression: [{ step: "s1" }, " * 1.5"], value: 15 },
    { id: "s4", description: "difference", expression: [{ step: "s2" }, " - ", { step: "s3" }], value: 5 },
  ],
  answer: "B",
};
const byText = new Map([[question.text, question]]);

/** The results that the system would return for the calls that this question needs. */
const outputs: Readonly<Record<string, unknown>> = {
  "A height (m)": { text: question.searches[0]?.text, value: 10 },
  "B height (m)": { text: question.searches[1]?.text, value: 20 },
  "10 * 1.5": { value: 15 },
  "20 - 15": { value: 5 },
};

async function answerBy(loop: typeof reactLoop, change: (output: unknown) => unknown = (output) => output) {
  const calls: string[] = [];
  const answer = await loop(question.text, {
    complete: async (system, user) => recognise({ schemaName: null, system, user }, byText).reply,
    runTool: async ({ args }: ToolCall) => {
      const wanted = String(args["query"] ?? args["expression"]);
      calls.push(wanted);
      return change(outputs[wanted]);
    },
  });
  return { answer, calls };
}

it.each([
  ["reason-act", reactLoop],
  ["batched", batchLoop],
])("makes every call before it answers: %s", async (_, loop) => {
  const { answer, calls } = await answerBy(loop);
  expect(calls.toSorted()).toEqual(Object.keys(outputs).toSorted());
  expect(isRight(answer, question.label)).toBe(true);
});

it.each([
  ["reason-act", reactLoop],
  ["batched", batchLoop],
])("cannot answer without the results: %s", async (_, loop) => {
  const { answer } = await answerBy(loop, () => ({}));
  expect(isRight(answer, question.label)).toBe(false);
});

it("plans every step under the planner's schema, with references for values it has not seen", () => {
  const user = `<goal>\n${question.text}\n</goal>`;
  const { reply } = recognise({ schemaName: "plan", system: "You are the planner", user }, byText);
  const plan = JSON.parse(reply);
  expect(plan.steps).toHaveLength(4);
  expect(plan.steps[3].args.expression).toBe("{{s2.output.value}} - {{s3.output.value}}");
});

it("plans the same steps as lines for a planner that requests no schema", () => {
  const user = `<goal>\n${question.text}\n</goal>`;
  const { reply } = recognise({ schemaName: null, system: "You are the planner", user }, byText);
  expect(reply.split("\n")).toEqual([
    's1: web.search "A height (m)"',
    's2: web.search "B height (m)"',
    's3: math.evaluate "{{s1.output.value}} * 1.5"',
    's4: math.evaluate "{{s2.output.value}} - {{s3.output.value}}"',
    "answer: none",
  ]);
});

it("reviews complete results only", () => {
  const judge = (results: unknown) => {
    const user = `<goal>\n${question.text}\n</goal>\n<results>\n${JSON.stringify(results)}\n</results>`;
    return JSON.parse(recognise({ schemaName: "judgement", system: "You judge", user }, byText).reply).text;
  };
  expect(judge(Object.values(outputs))).toBe("B");
  expect(judge(Object.values(outputs).slice(1))).toContain("unknown");
});

it("refuses an unknown question", () => {
  const request = { schemaName: "plan", system: "", user: "<goal>\nWhat else?\n</goal>" };
  expect(() => recognise(request, byText)).toThrow("no question reads");
});
