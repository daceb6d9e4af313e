import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPlan } from "../check/check-plan.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { createDraftParser } from "./draft-parser.ts";
import { parseLenientJson } from "./mend-json.ts";
import { normalizeDraftStep } from "./normalize-draft-step.ts";
import { toWire } from "./wire-references.ts";

const toolOf = (name: string, properties: JsonObject, required: string[] = []) =>
  ToolSpec.parse({
    name,
    description: name,
    input: { type: "object", properties, required, additionalProperties: false },
    output: {},
    timeoutMs: 1_000,
  });
const tools = new Map(
  [
    toolOf("docs.search", {
      query: { type: "string" },
      limit: { type: "integer" },
      exact: { type: "boolean" },
      boost: { anyOf: [{ type: "number" }, { type: "null" }] },
      tags: { type: "array", items: { type: "integer" } },
    }),
    toolOf("get_weather", { city: { type: "string" } }),
    toolOf("a.b-c", {}),
    toolOf("a.b_c", {}),
  ].map((tool) => [tool.name, tool]),
);

/** Reads a step as part of a model's draft; also returns the mends. */
function mended(step: Json) {
  const mends: string[] = [];
  return { step: normalizeDraftStep(step, tools, (mend) => void mends.push(mend)), mends };
}

describe("a model's step", () => {
  const wanted = { id: "s2", tool: "docs.search", args: { query: "x" }, dependsOn: ["s1"] };

  it.each<[string, Json]>([
    ["depends_on", { id: "s2", tool: "docs.search", args: { query: "x" }, depends_on: ["s1"] }],
    ["dependencies", { id: "s2", tool: "docs.search", args: { query: "x" }, dependencies: ["s1"] }],
    ["dependsOn as text", { ...wanted, dependsOn: "s1" }],
    ["dependsOn as objects", { ...wanted, dependsOn: [{ id: "s1" }] }],
    ["dependsOn as references", { ...wanted, dependsOn: ["s1.output.text"] }],
    ["step_id", { step_id: "s2", tool: "docs.search", args: { query: "x" }, dependsOn: ["s1"] }],
    ["action", { id: "s2", action: "docs.search", action_input: { query: "x" }, dependsOn: ["s1"] }],
    ["tools", { id: "s2", tools: ["docs.search"], parameters: { query: "x" }, dependsOn: ["s1"] }],
    ["tool_name", { id: "s2", tool_name: "docs.search", arguments: { query: "x" }, dependsOn: ["s1"] }],
    ["a call inside", { id: "s2", action: { tool: "docs.search", args: { query: "x" } }, dependsOn: ["s1"] }],
    [
      "a function's call",
      { id: "s2", function: { name: "docs.search", arguments: '{"query": "x"}' }, dependsOn: ["s1"] },
    ],
    ["a call by name", { id: "s2", name: "docs_search", arguments: { query: "x" }, dependsOn: ["s1"] }],
    ["docs_search", { ...wanted, tool: "docs_search" }],
    ["functions.docs.search", { ...wanted, tool: "functions.docs.search" }],
    ["arguments as text", { ...wanted, args: '{"query": "x",}' }],
    ["an unknown field", { ...wanted, thought: "first" }],
  ])("is mended and noted: %s", (_, written) => {
    const { step, mends } = mended(written);
    expect(step).toEqual(wanted);
    expect(mends.length).toBeGreaterThan(0);
  });

  it("is unchanged if there is nothing to mend", () => {
    expect(mended({ ...wanted, note: null })).toEqual({ step: wanted, mends: [] });
  });

  it("has its values converted according to the tool's schema", () => {
    const args = { query: "5", limit: "5", exact: "True", boost: "-1.5", tags: ["1", 2] };
    expect(mended({ id: 1, tool: "docs.search", args }).step).toMatchObject({
      id: "1",
      args: { query: "5", limit: 5, exact: true, boost: -1.5, tags: [1, 2] },
    });
    const unclear = { limit: "5.5", exact: "yes", tags: ["{{s1.output}}"] };
    expect(mended({ id: "s1", tool: "docs.search", args: unclear })).toMatchObject({
      step: { args: { limit: "5.5", exact: "yes" } },
      mends: [],
    });
  });

  it("keeps its references to an id that is made valid", () => {
    const args = { query: "{{Step 1.output.text}} and {{s0.output}}", limit: { __ref: "Step 1.output[0]" } };
    const { step } = mended({ id: "Step 2", tool: "docs.search", args, dependsOn: ["Step 1"] });
    expect(step).toEqual({
      id: "Step-2",
      tool: "docs.search",
      args: { query: "{{Step-1.output.text}} and {{s0.output}}", limit: { $ref: "Step-1.output[0]" } },
      dependsOn: ["Step-1"],
    });
  });

  it("has timeoutMs and confidence read as numbers if they are numeric text, and only then", () => {
    const { step } = mended({ ...wanted, timeoutMs: "5000", confidence: "0.5" });
    expect(step).toMatchObject({ timeoutMs: 5_000, confidence: 0.5 });
    expect(mended({ ...wanted, timeoutMs: "5 s" }).step).toMatchObject({ timeoutMs: "5 s" });
  });

  it.each<[string, Json, Json]>([
    ["null", null, []],
    ["a number", 1, ["1"]],
    ["no step by name", "none", []],
    ["several in one text", "s1, s3; s4", ["s1", "s3", "s4"]],
    ["numbers", [1, 2], ["1", "2"]],
    ["objects with step_id", [{ step_id: "s1" }], ["s1"]],
    ["what names no step", [{ after: "s1" }, true], [{ after: "s1" }, true]],
    ["no list", { id: "s1" }, { id: "s1" }],
  ])("can have its dependencies written as %s", (_what, written, dependsOn) => {
    expect(mended({ ...wanted, dependsOn: written }).step).toMatchObject({ dependsOn });
  });

  it.each<[string, Json, Json]>([
    ["null", null, {}],
    ["an empty text", " ", {}],
    ["text that is no JSON", "find it", "find it"],
    ["JSON that is no object", "[1]", [1]],
  ])("can have its arguments written as %s", (_what, written, args) => {
    expect(mended({ id: "s2", tool: "docs.search", args: written }).step).toMatchObject({ args });
  });

  it("keeps an id that cannot be made valid, and references to it, for the check to refuse", () => {
    expect(mended({ id: "!!!", tool: "a.b-c" }).step).toMatchObject({ id: "!!!" });
    expect(mended({ id: "s1.output", tool: "a.b-c" }).step).toMatchObject({ id: "s1.output" });
    const args = { query: "{{Step 1}}", limit: { __ref: "the last output" } };
    expect(mended({ id: "s2", tool: "docs.search", args }).step).toMatchObject({
      args: { query: "{{Step 1}}", limit: { $ref: "the last output" } },
    });
  });

  it("keeps values nested deeper than allowed, for the check to refuse", () => {
    let deep: Json = "{{Step 1.output}}";
    for (let level = 0; level < 100; level++) deep = [deep];
    expect(mended({ id: "s2", tool: "docs.search", args: { query: deep } }).step).toMatchObject({
      args: { query: deep },
    });
  });

  it("has its compensation mended like its own call", () => {
    const compensate = { tool: "getWeather", args: { city: "{{Step 1.output}}" } };
    expect(mended({ ...wanted, tool: "elsewhere", compensate }).step).toMatchObject({
      compensate: { tool: "get_weather", args: { city: "{{Step-1.output}}" } },
    });
  });

  it("silently drops an unknown field that is null", () => {
    expect(mended({ ...wanted, thought: null })).toEqual({ step: wanted, mends: [] });
  });

  it("matches no tool if another one is as near", () => {
    expect(mended({ id: "s1", tool: "a_b_c" }).step).toMatchObject({ tool: "a_b_c" });
  });

  it("keeps the correct field if both are present", () => {
    const { step, mends } = mended({ ...wanted, depends_on: ["s9"] });
    expect(step).toEqual(wanted);
    expect(mends).toEqual(['dropped the unknown field "depends_on"']);
  });
});

describe("a submitted plan", () => {
  const check = (plan: unknown) => checkPlan(plan, { tools });
  const step = { id: "s1", tool: "get_weather", args: { city: "Bonn" }, dependsOn: [] };

  it.each<[string, unknown]>([
    ["a bare list", [step]],
    ["a plan inside", { plan: { steps: [step] } }],
    ["tasks", { tasks: [step] }],
    ["the names of others", { plan: [{ step_id: "s1", action: "getWeather", input: { city: "Bonn" } }] }],
    ["depends_on", { steps: [{ ...step, dependsOn: undefined, depends_on: [] }] }],
  ])("is accepted as %s", (_, plan) => {
    const { plan: read, mends } = { mends: [], ...check(plan) };
    expect(read?.steps).toEqual([{ ...step, description: "" }]);
    expect(mends.length).toBeGreaterThan(0);
  });

  it("is refused with the name of the correct field if two fields mean the same", () => {
    const { issues } = check({
      steps: [{ ...step, depends_on: ["s1"] }],
      answer_from: "s1",
      answerFrom: "s1",
    });
    expect(issues.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'answer_from: unknown field "answer_from": use "answerFrom"',
      'steps[0].depends_on: unknown field "depends_on": use "dependsOn"',
    ]);
  });

  it("can have undefined for omitted fields, and a number as answerFrom", () => {
    const { plan } = check({
      steps: [{ ...step, id: 1, when: undefined }],
      answer_from: 1,
      budget: undefined,
    });
    expect(plan).toMatchObject({ steps: [{ id: "1", tool: "get_weather" }], answerFrom: "1" });
  });

  it("keeps a user's ids and references, and reports their faults", () => {
    expect(check({ steps: [{ ...step, id: "Step 1" }] }).issues).toMatchObject([{ field: "steps[0].id" }]);
  });

  it("is refused for an unknown field, which may matter to its author", () => {
    expect(check({ steps: [{ ...step, priority: 1 }] }).issues).toMatchObject([
      { field: "steps[0].priority", message: "there is no such field" },
    ]);
  });
});

describe("JSON with slips", () => {
  it.each<[string, Json]>([
    ['{"a": "x\ny\tz"}', { a: "x\ny\tz" }],
    ['{"a": [1, 2,], }', { a: [1, 2] }],
    ['{"a": True, "b": None, "c": "None, True,]"}', { a: true, b: null, c: "None, True,]" }],
    ['{"a": "it\\\'s"}', { a: "it's" }],
  ])("is parsed: %j", (text, value) => {
    expect(parseLenientJson(text)).toEqual({ value, isMended: true });
  });

  it.each(["{name}", '{"a": }', '{"a" 1}', "", '{"a": "x'])("is not parsed: %j", (text) => {
    expect(parseLenientJson(text)).toBeUndefined();
  });

  it("is parsed unchanged if it has none", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseLenientJson(JSON.stringify(value))?.value).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("a valid plan", () => {
  type PlannedStep = { id: string; tool: string; args: JsonObject; dependsOn: string[]; description: string };

  const planned = fc
    .array(
      fc.record({
        query: fc.string({ maxLength: 12 }),
        limit: fc.option(fc.integer({ min: -99, max: 99 }), { nil: undefined }),
        exact: fc.option(fc.boolean(), { nil: undefined }),
        needs: fc.array(fc.nat(9), { maxLength: 3 }),
        refers: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((steps) =>
      steps.map(({ query, limit, exact, needs, refers }, index): PlannedStep => {
        const earlier = [...new Set(needs.filter((need) => need < index))].map((need) => `s${need}`);
        const [first] = earlier;
        const text = query.replaceAll(/[{}]/g, "");
        return {
          id: `s${index}`,
          description: `step ${index}`,
          tool: "docs.search",
          args: {
            query: refers && first !== undefined ? `${text}{{${first}.output.text}}` : text,
            ...(refers && first !== undefined ? { boost: { $ref: `${first}.output.x` } } : {}),
            ...(limit === undefined ? {} : { limit }),
            ...(exact === undefined ? {} : { exact }),
          },
          dependsOn: earlier,
        };
      }),
    );

  const name = (...names: string[]) => fc.constantFrom(...names);
  const deformation = fc.record({
    id: name("id", "step_id", "stepId", "ID"),
    tool: name("tool", "action", "tool_name", "toolName"),
    toolValue: name("docs.search", "docs_search", "docsSearch", "functions.docs.search"),
    args: name("args", "arguments", "parameters", "tool_input"),
    dependsOn: name("dependsOn", "depends_on", "dependencies", "dependsON"),
    asText: fc.boolean(),
    dependsAsText: fc.boolean(),
    valuesAsText: fc.boolean(),
    extra: fc.boolean(),
    wire: fc.boolean(),
  });

  it("is restored from any deformation of its steps", () => {
    fc.assert(
      fc.property(planned, fc.array(deformation, { minLength: 1 }), (steps, deformations) => {
        for (const [index, step] of steps.entries()) {
          const how = deformations[index % deformations.length];
          if (how === undefined) continue;
          const args = how.valuesAsText ? textValues(step.args) : step.args;
          const seen = how.wire ? toWire(args) : args;
          const oneNeed = step.dependsOn.length > 0;
          const written: JsonObject = {
            [how.id]: step.id,
            description: step.description,
            [how.tool]: how.toolValue,
            [how.args]: how.asText ? JSON.stringify(seen) : seen,
            [how.dependsOn]: how.dependsAsText && oneNeed ? step.dependsOn.join(", ") : step.dependsOn,
            ...(how.extra ? { rationale: "because" } : {}),
          };
          expect(normalizeDraftStep(written, tools)).toEqual(step);
        }
      }),
    );
  });

  it("is restored from any envelope, cut anywhere", () => {
    const envelope = name("plain", "plan", "list", "tasks", "fence", "thinking", "comma");
    fc.assert(
      fc.property(planned, envelope, fc.array(fc.nat(40)), (steps, kind, cuts) => {
        const taken: Json[] = [];
        const parser = createDraftParser({ onStep: (step) => void taken.push(step) });
        let rest = ENVELOPES[kind]?.(steps) ?? "";
        for (const cut of cuts) {
          parser.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        parser.push(rest);
        expect(parser.end()).toMatchObject({ status: "complete", steps: steps.length });
        expect(taken).toEqual(steps);
      }),
    );
  });

  const ENVELOPES: Readonly<Record<string, (steps: readonly PlannedStep[]) => string>> = {
    plain: (steps) => JSON.stringify({ reasoning: "r", steps, answerFrom: null }),
    plan: (steps) => `Here is the plan: ${JSON.stringify({ plan: { steps } }, null, 2)} Done.`,
    list: (steps) => JSON.stringify(steps),
    tasks: (steps) => JSON.stringify({ goal: { a: [1] }, tasks: steps }),
    fence: (steps) => `\`\`\`json\n${JSON.stringify(steps, null, 1)}\n\`\`\``,
    thinking: (steps) => `<think>{"steps": [}</think>${JSON.stringify({ plan: steps })}`,
    comma: (steps) => `{"steps": [${steps.map((step) => `${JSON.stringify(step)},`).join("\n")}],}`,
  };

  function textValues(args: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, typeof value === "object" ? value : String(value)]),
    );
  }
});
