import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkPlan } from "../check/check-plan.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { parseNumberedList } from "./numbered-list.ts";

const tool = (name: string, input: z.ZodType, output: z.ZodType) =>
  ToolSpec.parse({
    name,
    description: name,
    input: z.toJSONSchema(input),
    output: z.toJSONSchema(output),
    timeoutMs: 1,
  });
const specs = [
  tool(
    "model.write",
    z.strictObject({ prompt: z.string(), context: z.unknown().optional() }),
    z.object({ text: z.string() }),
  ),
  tool(
    "docs.search",
    z.strictObject({ query: z.string(), limit: z.int().optional() }),
    z.object({ hits: z.array(z.unknown()) }),
  ),
  tool(
    "sql.query",
    z.strictObject({ source: z.string(), sql: z.string(), params: z.array(z.unknown()).optional() }),
    z.object({ rows: z.array(z.unknown()) }),
  ),
];
const tools = new Map(specs.map((spec) => [spec.name, spec]));
const parse = (text: string, goal?: string) =>
  parseNumberedList(text, goal === undefined ? { tools } : { tools, goal });
const brief = (text: string) =>
  parse(text).steps.map(({ tool: name, description, dependsOn }) => [name, description, dependsOn]);

describe("a plain numbered list", () => {
  const LANGCHAIN = `Plan:

1. Identify the top 3 competitors.

2. For each competitor:
   a. Gather product features
   b. Collect pricing
   1. and this too

3. Compare the features
side by side.

4. Given the above steps taken, please respond to the user's original question.
<END_OF_PLAN>
5. Not a step`;

  it("runs in order, one step per item, whatever the blank lines", () => {
    expect(brief(LANGCHAIN)).toEqual([
      ["model.write", "Identify the top 3 competitors.", []],
      [
        "model.write",
        "For each competitor:\na. Gather product features\nb. Collect pricing\n1. and this too",
        ["s1"],
      ],
      ["model.write", "Compare the features\nside by side.", ["s2"]],
      [
        "model.write",
        "Given the above steps taken, please respond to the user's original question.",
        ["s1", "s2", "s3"],
      ],
    ]);
  });

  it("gives each step its text, the goal and the output of the step before it", () => {
    const { steps, answerFrom } = parse(LANGCHAIN, "Beat {{them}}");
    expect(steps[0]?.args).toEqual({
      prompt: "Identify the top 3 competitors.\n\nThis is one step towards the goal: Beat { {them}}",
    });
    expect(steps[1]?.args).toHaveProperty("context", { $ref: "s1.output.text" });
    expect(steps[3]?.args).toHaveProperty("context", {
      s1: { $ref: "s1.output.text" },
      s2: { $ref: "s2.output.text" },
      s3: { $ref: "s3.output.text" },
    });
    expect(answerFrom).toBe("s4");
    expect(checkPlan({ steps, answerFrom }, { tools }).issues).toEqual([]);
  });

  it("runs with the requested tool", () => {
    const { steps } = parseNumberedList("1. Look\n2. Write", { tools, fallbackTool: "other.writer" });
    expect(steps).toEqual([
      { id: "s1", description: "Look", tool: "other.writer", args: { prompt: "Look" }, dependsOn: [] },
      {
        id: "s2",
        description: "Write",
        tool: "other.writer",
        args: { prompt: "Write", context: { $ref: "s1.output" } },
        dependsOn: ["s1"],
      },
    ]);
  });

  it.each([
    ["parentheses", "1) Look\n2) Write"],
    ["the word step", "Step 1: Look\nStep 2: Write"],
    ["dashes", "1 - Look\n2 – Write"],
    ["Markdown", "## Plan\n\n**1.** Look\n**Step 2:** **Write**"],
    ["indentation", "   1. Look\n  2. Write"],
    ["Windows line ends", "1. Look\r\n\r\n2. Write\r\n"],
    ["a code fence", "```\n1. Look\n2. Write\n```"],
    ["bullets", "The plan:\n- Look\n\n- Write"],
    [
      "prose around it",
      "Sure, in 2 steps:\n1. Look\n2. Write\n\nThat costs 3.5 dollars.\n10:30 is the time.\nGood luck!",
    ],
    ["a closing line", "1. Look\n2. Write\nGiven the above steps taken, answer."],
    ["a heading below", "1. Look\n## Then\n2. Write\n# Notes"],
    ["empty items", "1. Look\n2.\n3. Write"],
  ])("can be written with %s", (_name, text) => {
    expect(brief(text)).toEqual([
      ["model.write", "Look", []],
      ["model.write", "Write", ["s1"]],
    ]);
  });

  it.each([[""], ["\n\n"], ["No list at all. 1.5 is a number, and 2024 a year."], ["{}"]])(
    "is not found in %j",
    (text) => {
      expect(parse(text)).toEqual({ steps: [], answerFrom: undefined });
    },
  );
});

describe("a list with hints", () => {
  it("states tools, arguments and dependencies", () => {
    const { steps } = parse(`
1. Search for A (tool: docs.search, query: "price of \\"A\\" (2024), or [so]", limit: 5)
2. Search for B (tool: docs.search, query: 'price of B')
3. Read the sales (Tool: sql.query; source: sales, sql: SELECT a, b FROM t WHERE x = 1, params: [1, {"$ref": "s1.output.n"}])
4. Compare the prices [after 1, 2]
5. Report (tool: model.write) (depends on Step 3 and Step 4)`);
    expect(steps).toEqual([
      {
        id: "s1",
        description: "Search for A",
        tool: "docs.search",
        args: { query: 'price of "A" (2024), or [so]', limit: 5 },
        dependsOn: [],
      },
      {
        id: "s2",
        description: "Search for B",
        tool: "docs.search",
        args: { query: "price of B" },
        dependsOn: [],
      },
      {
        id: "s3",
        description: "Read the sales",
        tool: "sql.query",
        args: {
          source: "sales",
          sql: "SELECT a, b FROM t WHERE x = 1",
          params: [1, { $ref: "s1.output.n" }],
        },
        dependsOn: [],
      },
      {
        id: "s4",
        description: "Compare the prices",
        tool: "model.write",
        args: {
          prompt: "Compare the prices",
          context: { s1: { $ref: "s1.output" }, s2: { $ref: "s2.output" } },
        },
        dependsOn: ["s1", "s2"],
      },
      {
        id: "s5",
        description: "Report",
        tool: "model.write",
        args: { prompt: "Report", context: { s3: { $ref: "s3.output" }, s4: { $ref: "s4.output.text" } } },
        dependsOn: ["s3", "s4"],
      },
    ]);
    expect(checkPlan({ steps }, { tools }).issues).toEqual([]);
  });

  it("gives a tool that needs a single text the item's text, and leaves other tools to the check", () => {
    const { steps } = parse("1. Price of A (tool: Docs Search)\n2. Count (tool: sql.query)");
    expect(steps[0]).toMatchObject({ tool: "docs.search", args: { query: "Price of A" } });
    expect(steps[1]).toMatchObject({ tool: "sql.query", args: {}, dependsOn: ["s1"] });
    expect(checkPlan({ steps }, { tools }).issues.map(({ field }) => field)).toEqual([
      "args.source",
      "args.sql",
    ]);
  });

  it("keeps a tool that does not exist as part of the text", () => {
    expect(brief("1. Gather features (Tool: Web Scraping)\n2. See [1] and (maybe) more :)")).toEqual([
      ["model.write", "Gather features (Tool: Web Scraping)", []],
      ["model.write", "See [1] and (maybe) more :)", ["s1"]],
    ]);
  });

  it.each([
    ["(no dependencies)", []],
    ["[after none]", []],
    ["[after all]", ["s1", "s2", "s3"]],
    ["(depends on 2a, 1)", ["s2", "s1"]],
    ["[after s1 and 1]", ["s1"]],
    ["[after 9]", ["s9"]],
    ["", ["s3"]],
  ])("accepts %j", (hint, dependsOn) => {
    expect(
      parse(`Step 1: A\nStep 2a: B\nStep 2b: C (depends on 1)\nStep 3: D ${hint}`).steps[3],
    ).toMatchObject({ description: "D", dependsOn });
  });

  it("keeps malformed values as they are", () => {
    const { steps } = parse(
      "1. A (tool: docs.search, query: \"open, limit: x)\n2. B (tool: docs.search, query: {oops}, limit: true)\n3. C (tool: docs.search, query: 'it, limit: )",
    );
    expect(steps[0]).toMatchObject({
      tool: "model.write",
      description: '1. A (tool: docs.search, query: "open, limit: x)'.slice(3),
    });
    expect(steps[1]?.args).toEqual({ query: "{oops}", limit: true });
    expect(steps[2]?.args).toEqual({ query: "'it", limit: "" });
  });

  it("never throws, and keeps one step per item in order", () => {
    const pieces = fc.constantFrom(
      "1. ",
      "2) ",
      "\n",
      " ",
      "(tool: ",
      "docs.search",
      ", query: ",
      '"',
      ")",
      "[after ",
      "1",
      "]",
      "x",
      "**",
      "- ",
      "{{",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (text) => {
        const { steps } = parse(text.join(""), "goal");
        expect(steps.map(({ id }) => id)).toEqual(steps.map((_, index) => `s${index + 1}`));
      }),
    );
  });
});
