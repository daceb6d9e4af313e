import { describe, expect, it } from "vitest";
import type { Json } from "../values/json.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { createLinesParser } from "./lines-parser.ts";

const tool = (name: string, properties: object, required: string[]) =>
  ToolSpec.parse({
    name,
    description: name,
    input: { type: "object", properties, required, additionalProperties: false },
    output: {},
    risk: "low",
    effect: "read",
    timeoutMs: 1_000,
  });
const text = { type: "string" };
const tools = new Map(
  [
    tool("docs.search", { query: text, limit: { type: "integer" } }, ["query"]),
    tool("math.evaluate", { expression: text, variables: {} }, ["expression"]),
    tool("sql.query", { source: text, sql: text }, ["source", "sql"]),
  ].map((spec) => [spec.name, spec]),
);

/** Parses a reply in pieces of a given length, and notes the number of characters read when each step was reported. */
function read(reply: string, pieceChars = reply.length || 1) {
  const steps: Json[] = [];
  const seenAt: number[] = [];
  let pushed = 0;
  const parser = createLinesParser(
    {
      onStep: (step, index) => {
        expect(index).toBe(steps.length);
        steps.push(step);
        seenAt.push(pushed);
      },
    },
    tools,
  );
  for (let start = 0; start < reply.length; start += pieceChars) {
    const piece = reply.slice(start, start + pieceChars);
    pushed += piece.length;
    parser.push(piece);
  }
  return { steps, seenAt, end: parser.end() };
}

const PLAN = `s1: docs.search "price of \\"A\\""
s2: docs.search {"query": "price of B", "limit": 2}  # the other one
s3: math.evaluate "{{s1.output.value}} - {{s2.output.value}}" after s1, s2
answer: s3
`;

describe("a draft in lines", () => {
  it.each([1, 3, 7, 1_000])("is the same wherever it is cut: pieces of %d characters", (pieceChars) => {
    const { steps, end } = read(PLAN, pieceChars);
    expect(steps).toEqual([
      { id: "s1", description: 'price of "A"', tool: "docs.search", args: { query: 'price of "A"' } },
      {
        id: "s2",
        description: "the other one",
        tool: "docs.search",
        args: { query: "price of B", limit: 2 },
      },
      {
        id: "s3",
        description: "{{s1.output.value}} - {{s2.output.value}}",
        tool: "math.evaluate",
        args: { expression: "{{s1.output.value}} - {{s2.output.value}}" },
        dependsOn: ["s1", "s2"],
      },
    ]);
    expect(end).toMatchObject({ status: "complete", steps: 3, answerFrom: "s3" });
  });

  it("can state a step's review criteria and number of drafts after its arguments", () => {
    const lines = [
      's1: docs.search "A" expect "names \\"a\\" price" review 2 after s0',
      's2: docs.search "B" by researcher review # two',
      's3: docs.search "C" expect nothing',
    ];
    expect(read(lines.join("\n")).steps).toMatchObject([
      { successCriteria: 'names "a" price', review: { maxIterations: 2 }, dependsOn: ["s0"] },
      { agent: "researcher", review: {}, description: "two" },
      { description: "C" },
    ]);
  });

  it("can state a step's agent type after its arguments", () => {
    const { steps } = read(
      's1: docs.search "A" by researcher\ns2: docs.search "B" by researcher after s1 # two\n',
    );
    expect(steps).toMatchObject([
      { agent: "researcher", description: "A" },
      { agent: "researcher", dependsOn: ["s1"], description: "two" },
    ]);
  });

  it("reports each step at the end of its line, not at the end of the reply", () => {
    const ends = [...PLAN.matchAll(/\n/g)].map(({ index }) => index + 1);
    expect(read(PLAN, 1).seenAt).toEqual(ends.slice(0, 3));
  });

  it("can end without a line break, and can leave the answer to a synthesis", () => {
    expect(read('s1: docs.search "A"\nanswer: none').end).toMatchObject({
      status: "complete",
      steps: 1,
      answerFrom: undefined,
    });
    expect(read('s1: docs.search "A"').steps).toHaveLength(1);
  });

  it("skips lines that are not steps: prose, fences, headings", () => {
    const reply = 'Here is the plan:\n```\n- s1: docs.search "A"\n```\nIt looks A up: all is well.\n';
    expect(read(reply, 5)).toMatchObject({ steps: [{ id: "s1" }], end: { status: "complete", steps: 1 } });
  });

  it("can have arguments that span several lines", () => {
    const reply = 's1: sql.query {\n  "source": "sales",\n  "sql": "select 1"\n} after s0\nanswer: s1\n';
    expect(read(reply, 4).steps).toEqual([
      {
        id: "s1",
        description: '{\n  "source": "sales",\n  "sql": "select 1"\n}',
        tool: "sql.query",
        args: { source: "sales", sql: "select 1" },
        dependsOn: ["s0"],
      },
    ]);
  });

  it("leaves invalid lines for the check to refuse", () => {
    expect(read('s1: sql.query "select 1"\n').steps).toMatchObject([{ args: "select 1" }]);
    expect(read("s1: docs.search {query: A}\n").steps).toMatchObject([{ args: "{query: A}" }]);
    expect(read("s1: no.tool\n").steps).toMatchObject([{ tool: "no.tool", args: {} }]);
  });

  it.each([
    ["", "absent"],
    ["I cannot do that.", "absent"],
    ['s1: docs.search {"query": "A', "truncated"],
  ])("reports that %j is %s", (reply, status) => {
    expect(read(reply, 2).end).toMatchObject({ status, steps: 0 });
  });
});

describe("a step's compensation", () => {
  const undo = 'undo docs.search "{{s1.output}}"';
  it.each([
    ["behind its arguments", `s1: sql.query {"source": "a", "sql": "b"} ${undo}  # note`, "note"],
    [
      "behind what it waits for",
      `s1: sql.query {"source": "a", "sql": "b"} after s0 ${undo}`,
      '{"source": "a", "sql": "b"}',
    ],
  ])("is written %s", (_name, line, description) => {
    const { steps } = read(line);
    expect(steps).toMatchObject([
      { id: "s1", description, compensate: { tool: "docs.search", args: { query: "{{s1.output}}" } } },
    ]);
  });

  it("can span several lines, and is cut off with the reply", () => {
    const line = 's1: docs.search "a" undo sql.query {\n"source": "x",\n"sql": "y"}\nanswer: s1';
    for (const pieceChars of [1, 7, line.length]) {
      expect(read(line, pieceChars).steps).toMatchObject([
        { compensate: { tool: "sql.query", args: { source: "x", sql: "y" } } },
      ]);
    }
    expect(read(line.slice(0, 40)).end).toMatchObject({ status: "truncated" });
  });
});

describe("a line", () => {
  it("can name the step that it verifies, and its fallback", () => {
    const { steps } = read(
      's1: docs.search "a" else s3\ns2: docs.search "b" after s1 verifies s1 when s1.output > 1\ns3: docs.search "c" elsewhere\n',
    );
    expect(steps).toMatchObject([
      { fallback: "s3" },
      { verifies: "s1", dependsOn: ["s1"], when: "s1.output > 1" },
      { id: "s3" },
    ]);
    expect(steps[2]).not.toHaveProperty("fallback");
  });

  it("can state a condition, and name an unknown tool", () => {
    const { steps } = read('s1: docs.search "a"\ns2: no.tool "b" after s1 when s1.output.count > 1\n');
    expect(steps[1]).toMatchObject({ tool: "no.tool", args: "b", when: "s1.output.count > 1" });
  });

  it.each([
    ["s1.output.hits", "s1.output.hits"],
    ["{{s1.output.hits}}", "s1.output.hits"],
    ["s1.output after s0", "s1.output"],
  ])("can run its step for each %s", (list, path) => {
    const [after, ...rest] = list.split(" after ").reverse();
    const line = rest.length === 0 ? `for each ${list}` : `after ${after} for each ${rest[0]}`;
    const { steps } = read(`s1: docs.search "a"\ns2: docs.search "{{item.title}}" ${line} # one by one\n`);
    expect(steps[1]).toMatchObject({
      forEach: { $ref: path },
      args: { query: "{{item.title}}" },
      description: "one by one",
    });
  });

  it("is ignored once the reply is too long", () => {
    const piece = "#".repeat(1024 * 1024);
    const seen: Json[] = [];
    const parser = createLinesParser({ onStep: (step) => seen.push(step) }, tools);
    for (let index = 0; index < 5; index++) parser.push(piece);
    parser.push('\ns1: docs.search "late"\n');
    expect(parser.end()).toMatchObject({ status: "too_large" });
    expect(seen).toEqual([]);
  });
});
