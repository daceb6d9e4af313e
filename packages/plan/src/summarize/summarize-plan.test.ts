// The number of calls for a text, and that none of it is lost.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPlan } from "../check/check-plan.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { chunkText } from "./chunk-text.ts";
import { summarizePlan } from "./summarize-plan.ts";

const writer = ToolSpec.parse({
  name: "model.write",
  description: "writes",
  input: {},
  output: {},
  risk: "low",
  effect: "read",
  timeoutMs: 1_000,
});

const planOf = (text: string, groupSize = 5, chunkChars = 100) =>
  summarizePlan({
    goal: "What happened?",
    constraints: ["be {{brief}}"],
    input: { text, chunkChars, groupSize },
  });

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index} `.padEnd(98, "x")).join("\n\n");

describe("a summary", () => {
  it.each([
    [1, 1],
    [2, 3],
    [5, 6],
    [6, 6 + 2 + 1],
    [20, 20 + 4 + 1],
    [100, 100 + 20 + 4 + 1],
  ])("of %i chunks in groups of 5 takes %i calls", (chunks, calls) => {
    const { steps, answerFrom } = planOf(paragraphs(chunks));
    expect(steps.filter(({ id }) => id.startsWith("chunk"))).toHaveLength(chunks === 1 ? 0 : chunks);
    expect([steps.length, answerFrom]).toEqual([calls, "summary"]);
  });

  it("is a valid plan, whatever the text contains", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 2_000 }),
        fc.integer({ min: 2, max: 6 }),
        (text, size) => {
          fc.pre(text.isWellFormed() && !text.includes("\0"));
          const { issues } = checkPlan(planOf(`{{s1.output}} ${text}`, size), {
            tools: new Map([[writer.name, writer]]),
          });
          expect(issues.filter(({ code }) => code !== "unsafe_text")).toEqual([]);
        },
      ),
    );
  });

  it("passes the facts of each chunk up to the last call", () => {
    const { steps } = planOf(paragraphs(20));
    const find = (id: string) => steps.find((step) => step.id === id);
    expect(find("chunk-10")?.args).toMatchObject({ keepFacts: true });
    expect(find("rollup-1-2")?.args["facts"]).toContainEqual({ $ref: "chunk-10.output.facts" });
    expect(find("summary")?.args["facts"]).toContainEqual({ $ref: "rollup-1-2.output.facts" });
  });
});

it("cuts a text without losing any of it, and no part is too long", () => {
  const texts = fc.oneof(fc.string({ unit: "grapheme", maxLength: 300 }), fc.lorem({ maxCount: 60 }));
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 60 }), (text, charsMax) => {
      const chunks = chunkText(text, charsMax);
      expect(chunks.join("")).toBe(text);
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(charsMax);
        expect(chunk.length).toBeGreaterThan(0);
        expect(chunk.isWellFormed() || !text.isWellFormed()).toBe(true);
      }
    }),
  );
});

it("cuts after paragraphs where possible", () => {
  expect(chunkText("one two.\n\nthree four.\n\nfive", 24)).toEqual(["one two.\n\nthree four.\n\n", "five"]);
});
