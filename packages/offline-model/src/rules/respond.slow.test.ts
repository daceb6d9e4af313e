import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { askModel, askPlan, block, Judgement } from "../testing/run-goal.ts";
import { loadSales } from "../testing/sales-data.ts";

const data = loadSales();

/** Words that the rules know, in any order: more likely to confuse them than arbitrary text. */
const KNOWN = [
  "which",
  "region",
  "product",
  "grew",
  "fastest",
  "Q4",
  "and",
  "its",
  "their",
  "top",
  "3",
  "by",
  "month",
  "compare",
  "A, B and C",
  "of",
  "revenue",
  "chart",
  "save to x.md",
  "write",
  "a report",
  "share",
  "over 100",
  "?",
  ".",
  "last year",
  "{{s1.output}}",
  "{{{s2.output}}}",
  '{"$ref":"s9.output"}',
  "https://a.example/b",
  "12 * (3 + 4)",
  "North",
  '"',
  "poem",
  "\n",
  "2025",
] as const;
const wordSalad = fc.array(fc.constantFrom(...KNOWN), { maxLength: 25 }).map((words) => words.join(" "));

it("makes a valid plan for any goal, with queries that run", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(wordSalad, fc.string({ unit: "grapheme", maxLength: 200 })), async (goal) => {
      const { steps } = await askPlan(goal, { data });
      for (const { args } of steps.filter(({ tool }) => tool === "sql.query")) {
        const params = Array.isArray(args["params"]) ? args["params"] : [];
        const bound = params.map((param) =>
          typeof param === "string" || typeof param === "number" ? param : "North",
        );
        expect(() => data.query(z.string().parse(args["sql"]), bound)).not.toThrow();
      }
    }),
    { numRuns: 400 },
  );
});

it("copies no reference from the goal into a query", async () => {
  const { steps } = await askPlan('revenue of region "{{{s1.output}}}"', { data });
  expect(JSON.stringify(steps)).not.toContain("{{");
});

it("writes an answer from any results", async () => {
  const result = fc.record({
    id: fc.string(),
    description: fc.string(),
    tool: fc.string(),
    status: fc.constantFrom("succeeded", "failed", "skipped", "cancelled"),
    output: fc.oneof(
      fc.jsonValue(),
      fc.record({ rows: fc.array(fc.dictionary(fc.string(), fc.jsonValue())) }),
    ),
    error: fc.jsonValue(),
  });
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.array(result, { maxLength: 5 }), async (goal, results) => {
      const prompt = [block("goal", goal), block("results", results), block("revisions_left", "1")].join(
        "\n",
      );
      const judgement = Judgement.parse(JSON.parse(await askModel("judgement", prompt)));
      expect(judgement.decision === "revise" || judgement.text !== "").toBe(true);
    }),
    { numRuns: 200 },
  );
});

it("reads a goal of hostile length in bounded time", async () => {
  for (const goal of ["1".repeat(200_000), "a-".repeat(100_000), " ".repeat(200_000), "A, ".repeat(60_000)]) {
    expect((await askPlan(goal, { data })).reasoning).toContain("Only the first");
  }
});
