import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkStep } from "../check/check-step.ts";
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import { Step } from "../language/plan-language.ts";
import { isReferenceObject } from "../language/references.ts";
import { type JsonSchema, ToolSpec } from "../language/tool-spec.ts";
import { argumentShape, type Shape } from "./argument-shape.ts";
import { draftSchema as sharedSchema, type DraftSchemaOptions } from "./draft-schema.ts";
import { normalizeDraftStep } from "./normalize-draft-step.ts";
import { toWire, WIRE_JSON, WIRE_REFERENCE } from "./wire-references.ts";

const toolOf = (input: z.ZodType | JsonSchema, name = "test.tool", effect = "read") =>
  ToolSpec.parse({
    name,
    description: name,
    input: input instanceof z.ZodType ? z.toJSONSchema(input, { io: "input" }) : input,
    output: {},
    effect,
    timeoutMs: 1_000,
  });
const normalizeArgs = (spec: ToolSpec, args: Json) =>
  normalizeDraftStep({ id: "s1", tool: spec.name, args }, new Map([[spec.name, spec]]));
/** The schema with its definitions inlined. */
function draftSchema(tools: readonly ToolSpec[], options?: DraftSchemaOptions): JsonSchema {
  const { $defs = {}, ...schema } = sharedSchema(tools, options);
  const inlined = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(inlined);
    if (!isJsonObject(node)) return node;
    const name = typeof node["$ref"] === "string" ? node["$ref"].split("/").at(-1) : undefined;
    if (name !== undefined && isJsonObject($defs)) return inlined($defs[name] ?? null);
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(value)]));
  };
  return inlined(schema) as JsonSchema;
}
/** The value that a schema describes at a path of keys. */
const at = (schema: Json, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], schema);

const REFERENCE = {
  type: "object",
  properties: { [WIRE_REFERENCE]: { type: "string" } },
  required: [WIRE_REFERENCE],
  additionalProperties: false,
};

describe("the schema of a draft", () => {
  it("offers the agent types that have the step's tool, and no agent if none has it", () => {
    const types = new Map([
      ["researcher", { description: "looks", tools: ["docs.search"] }],
      ["writer", { description: "writes", tools: ["model.write"] }],
    ]);
    const of = (name: string) => draftSchema([toolOf(z.strictObject({}), name)], { agents: types });
    const step = (schema: JsonSchema) =>
      at(schema, "properties", "steps", "items", "properties", "call", "properties");
    expect(step(of("docs.search"))).toMatchObject({
      agent: { type: ["string", "null"], enum: ["researcher", null] },
    });
    expect(step(of("math.evaluate"))).not.toHaveProperty("agent");
  });

  it("offers a review, if enabled, to tools that can revise their output", () => {
    const writer = { ...toolOf(z.strictObject({}), "model.write"), revises: true as const };
    const step = (tool: ToolSpec, review?: boolean) =>
      at(draftSchema([tool], { review }), "properties", "steps", "items", "properties", "call", "properties");
    expect(step(writer, true)).toHaveProperty("review");
    expect(step(writer)).not.toHaveProperty("review");
    expect(step(toolOf(z.strictObject({}), "docs.search"), true)).not.toHaveProperty("review");
  });

  it("is an object of reasoning, steps and answerFrom, in that order", () => {
    const schema = draftSchema([toolOf(z.strictObject({}))]);
    expect(schema).toMatchObject({
      type: "object",
      required: ["reasoning", "steps", "answerFrom"],
      additionalProperties: false,
    });
    expect(at(schema, "properties", "answerFrom", "type")).toEqual(["string", "null"]);
  });

  it("has one variant per tool, which names the tool and its arguments", () => {
    const schema = draftSchema([
      toolOf(z.strictObject({ query: z.string(), limit: z.int().max(50).default(5) }), "docs.search"),
      toolOf(z.strictObject({ url: z.url().describe("Where.") }), "http.fetch"),
    ]);
    const variants = at(schema, "properties", "steps", "items", "properties", "call", "anyOf") as Json[];
    expect(variants).toHaveLength(2);
    expect(variants[0]).toMatchObject({
      required: ["tool", "args"],
      properties: {
        tool: { type: "string", enum: ["docs.search"] },
        args: {
          required: ["query", "limit"],
          properties: {
            query: { anyOf: [{ type: "string" }, REFERENCE] },
            limit: { anyOf: [{ type: ["integer", "null"] }, REFERENCE] },
          },
        },
      },
    });
    expect(variants[1]).toMatchObject({
      properties: {
        args: {
          properties: { url: { anyOf: [{ type: "string" }, REFERENCE] } },
        },
      },
    });
  });

  it("lets a step run for each item of a list only if this is enabled", () => {
    const spec = toolOf(z.strictObject({ url: z.string() }), "http.fetch");
    const [plain, lists] = [draftSchema([spec]), draftSchema([spec], { lists: true })];
    expectStrict(lists);
    expect(JSON.stringify(plain)).not.toContain("forEach");
    const args = { url: "{{item.url}}" };
    const own = { id: "s2", description: "", call: { tool: "http.fetch", args }, dependsOn: [] };
    const flow = { when: null, forEach: "s1.output.rows", compensate: null };
    const written = { ...own, flow, successCriteria: null, expectedOutput: null };
    const draft = { reasoning: "", steps: [written], answerFrom: null };
    expect(z.fromJSONSchema(lists).safeParse(draft).error?.issues).toBeUndefined();
    expect(normalizeDraftStep(written, new Map([[spec.name, spec]]))).toMatchObject({
      args,
      forEach: { $ref: "s1.output.rows" },
    });
    const inBraces = { ...written, flow: { when: null, forEach: "{{s1.output.rows}}" } };
    expect(normalizeDraftStep(inBraces, new Map())).toMatchObject({ forEach: { $ref: "s1.output.rows" } });
  });

  it("lets a step that changes something declare its compensation, with a tool that changes something", () => {
    const write = toolOf(
      z.strictObject({ path: z.string(), mode: z.int().optional() }),
      "files.write",
      "once",
    );
    const schema = draftSchema([toolOf(z.strictObject({}), "docs.search"), write]);
    expectStrict(schema);
    const flowOf = (one: JsonSchema) =>
      at(one, "properties", "steps", "items", "properties", "flow", "anyOf", 0, "properties");
    const reading = draftSchema([toolOf(z.strictObject({}), "docs.search")]);
    expect(flowOf(reading)).toMatchObject({ compensate: { type: "null" } });
    const undoing = at(
      schema,
      "properties",
      "steps",
      "items",
      "properties",
      "flow",
      "anyOf",
      0,
      "properties",
      "compensate",
      "anyOf",
      0,
    );
    expect(undoing).toMatchObject({ properties: { tool: { enum: ["files.write"] } } });

    const own = {
      id: "s1",
      description: "",
      tool: "files.write",
      args: { path: "a", mode: null },
      dependsOn: [],
    };
    const nothing = { flow: null, successCriteria: null, expectedOutput: null };
    const compensate = {
      tool: "files.write",
      args: { __json: '{"path": {"$ref": "s1.output.path"}, "mode": 1}' },
    };
    const tools = new Map([["files.write", write]]);
    const written = called({ ...own, ...nothing, flow: { when: null, compensate } });
    for (const flow of [written["flow"] ?? null, { when: null, compensate: null }, null]) {
      const draft = { reasoning: "", steps: [{ ...written, flow }], answerFrom: null };
      expect(z.fromJSONSchema(schema).safeParse(draft).error?.issues).toBeUndefined();
    }
    // Models also write it beside `flow`, or into `call`.
    for (const one of [written, { ...own, ...nothing, compensate }]) {
      const read = normalizeDraftStep(one, tools);
      expect(read).toMatchObject({
        args: { path: "a" },
        compensate: { tool: "files.write", args: { path: { $ref: "s1.output.path" }, mode: 1 } },
      });
      expect(checkStep(read, { tools, planned: new Set() }).issues).toEqual([]);
    }
    const flow = { when: "s1.output.ok", id: "of the flow" };
    expect(normalizeDraftStep({ ...own, flow }, tools)).toMatchObject({ id: own.id, when: "s1.output.ok" });
    expect(normalizeDraftStep({ ...own, flow: "s1" }, tools)).toMatchObject({ when: "s1" });
    expect(normalizeDraftStep({ ...own, ...nothing, compensate: null }, tools)).not.toHaveProperty(
      "compensate",
    );
  });

  it("drops the compensation of a read-only step, and notes it", () => {
    const tools = new Map([
      ["docs.search", toolOf(z.strictObject({}), "docs.search")],
      ["files.write", toolOf(z.strictObject({}), "files.write", "once")],
    ]);
    const step = { id: "s1", description: "", tool: "docs.search", args: {}, dependsOn: [] };
    const flow = { when: null, compensate: { tool: "files.write", args: { __json: "{}" } } };
    const notes: string[] = [];
    const read = normalizeDraftStep({ ...step, flow }, tools, (note) => notes.push(note));
    expect(read).toEqual(step);
    expect(notes).toEqual(['dropped "compensate" of a step whose tool docs.search changes nothing']);
    expect(normalizeDraftStep({ ...step, tool: "no.such", flow }, tools)).toHaveProperty("compensate");
  });

  it("cannot be built without a tool", () => {
    expect(() => draftSchema([])).toThrow("wanted at least one tool to plan with, got none");
  });
});

describe("a model's step", () => {
  it("loses the nulls that stand for omitted fields, at every depth, and no others", () => {
    const spec = toolOf(
      z.strictObject({
        needed: z.string().nullable(),
        optional: z.string().optional(),
        nested: z.array(z.strictObject({ a: z.number(), b: z.number().optional() })),
        any: z.unknown().optional(),
      }),
    );
    const args = { needed: null, optional: null, nested: [{ a: 1, b: null }], any: null };
    const step = {
      id: "s1",
      description: "x",
      tool: spec.name,
      args,
      dependsOn: [],
      successCriteria: null,
      expectedOutput: null,
    };
    expect(normalizeDraftStep(step, new Map([[spec.name, spec]]))).toEqual({
      id: "s1",
      description: "x",
      tool: spec.name,
      args: { needed: null, nested: [{ a: 1 }] },
      dependsOn: [],
    });
  });

  it.each([
    [
      "JSON text",
      { any: { __json: '{"a": [1, {"$ref": "s1.output"}]}' } },
      { any: { a: [1, { $ref: "s1.output" }] } },
    ],
    ["JSON text of null", { any: { __json: "null" } }, { any: null }],
    ["text that is JSON", { any: "5" }, { any: "5" }],
    ["a number", { any: 5 }, { any: 5 }],
    ["an object that needs no encoding", { any: { a: null } }, { any: { a: null } }],
    ["JSON text for a map", { map: { __json: '{"x": 1}' } }, { map: { x: 1 } }],
    ["a bare string of JSON for a map", { map: ' {"x": 1}' }, { map: { x: 1 } }],
    ["a bare string of JSON for a list", { list: "[1, 2]" }, { list: [1, 2] }],
    ["a template for a number", { count: "{{ s1.output.n }}" }, { count: { $ref: "s1.output.n" } }],
    ["a template for a map", { map: "{{s1.output}}" }, { map: { $ref: "s1.output" } }],
    ["a template for text", { text: "{{s1.output}}" }, { text: "{{s1.output}}" }],
    ["a template with text around it", { count: "n={{s1.output}}" }, { count: "n={{s1.output}}" }],
    ["what looks like a template", { count: "{{count}}" }, { count: "{{count}}" }],
    ["text for a number", { count: "5" }, { count: 5 }],
    ["a reference", { list: { $ref: "s1.output" } }, { list: { $ref: "s1.output" } }],
    ["a reference in a list", { list: [{ $ref: "s1.output" }, 1] }, { list: [{ $ref: "s1.output" }, 1] }],
    ["an unknown argument", { other: null }, { other: null }],
    ["what has the wrong type", { list: 1, nested: 2 }, { list: 1, nested: 2 }],
    [
      "a choice without its optional part",
      { choice: { kind: "b", b: null, z: null } },
      { choice: { kind: "b", z: null } },
    ],
    ["a choice that is none", { choice: { kind: "c" } }, { choice: { kind: "c" } }],
    ["a choice given as text", { choice: "x" }, { choice: "x" }],
  ])("can have %s", (_name, args, expected) => {
    const spec = toolOf(
      z.strictObject({
        any: z.unknown(),
        map: z.record(z.string(), z.number()).optional(),
        list: z.array(z.number()).optional(),
        count: z.number().optional(),
        text: z.string().optional(),
        nested: z.strictObject({}).optional(),
        choice: z
          .union([
            z.strictObject({ kind: z.literal("a"), a: z.string() }),
            z.strictObject({ kind: z.literal("b"), b: z.string().optional(), z: z.null() }),
            z.array(z.number()),
          ])
          .optional(),
      }),
    );
    expect(normalizeArgs(spec, args)).toHaveProperty("args", expected);
  });

  it("is decoded by the alternative with its fields", () => {
    const Pair = z.strictObject({ pair: z.array(z.number()), tag: z.string().optional() });
    const Loose = z.strictObject({
      value: z.union([z.string(), z.number()]),
      more: z.unknown(),
      tag: z.string().optional(),
    });
    const Map = z.strictObject({
      value: z.union([z.boolean(), z.null()]),
      more: z.record(z.string(), z.number()),
    });
    const spec = toolOf(z.strictObject({ v: z.array(z.union([Pair, Map, Loose])) }));
    const v = [
      { pair: [1], tag: null },
      { value: 1, more: { __json: "[1]" }, tag: null },
      { value: { $ref: "s1.output" }, more: { __json: "{}" }, tag: null },
      { value: null, more: { $ref: "s1.output" } },
      { value: true, more: {} },
      { pair: { x: 1 }, tag: null },
    ];
    expect(normalizeArgs(spec, { v })).toHaveProperty("args.v", [
      { pair: [1] },
      { value: 1, more: [1] },
      { value: { $ref: "s1.output" }, more: {} },
      { value: null, more: { $ref: "s1.output" } },
      { value: true, more: {} },
      { pair: { x: 1 }, tag: null },
    ]);
  });

  it("is refused by the check if its JSON text is invalid", () => {
    const spec = toolOf(z.strictObject({ any: z.unknown() }));
    const step = normalizeArgs(spec, { any: { __json: "{oops" } });
    const { issues } = checkStep(step, { tools: new Map([[spec.name, spec]]), planned: new Set<string>() });
    expect(issues).toMatchObject([{ code: "unsafe_key", field: "args.any.__json" }]);
    expect(issues[0]?.message).toContain("must hold valid JSON text");
  });

  it("can use numbers as step ids", () => {
    const tools = new Map([["test.tool", toolOf(z.strictObject({}))]]);
    expect(normalizeDraftStep({ id: 2, tool: "test.tool", args: {}, dependsOn: [1, "s1"] }, tools)).toEqual({
      id: "2",
      tool: "test.tool",
      args: {},
      dependsOn: ["1", "s1"],
    });
  });

  it.each([
    [null],
    ["step"],
    [[]],
    [{ id: null, tool: null }],
    [{ tool: "unknown", args: { x: null } }],
    [{ tool: "test.tool" }],
  ])("is left to the check if it is %j", (input) => {
    expect(normalizeDraftStep(input, new Map([["test.tool", toolOf(z.strictObject({}))]]))).toEqual(input);
  });
});

describe("the encoding of arguments", () => {
  const CASES: [string, z.ZodType | JsonSchema, Json[]][] = [
    ["any value", z.strictObject({ v: z.json() }), [{ v: [1, { a: null }] }, { v: null }, { v: "x" }]],
    [
      "any value left out",
      z.strictObject({ v: z.unknown().optional() }),
      [{}, { v: null }, { v: "null" }, { v: { $ref: "s1.output" } }],
    ],
    ["maps", z.strictObject({ v: z.record(z.string(), z.number()) }), [{ v: {} }, { v: { a: 1 } }]],
    ["tuples", z.strictObject({ v: z.tuple([z.string(), z.number()]) }), [{ v: ["a", 1] }]],
    [
      "deep objects",
      z.strictObject({ a: z.strictObject({ b: z.strictObject({ c: z.strictObject({ d: z.number() }) }) }) }),
      [{ a: { b: { c: { d: 1 } } } }],
    ],
    [
      "trees",
      z.strictObject({
        v: z.lazy(
          (): z.ZodType =>
            z.strictObject({
              get children() {
                return z.array(z.json());
              },
            }),
        ),
      }),
      [{ v: { children: [{}] } }],
    ],
    ["open objects", z.strictObject({ v: z.looseObject({ a: z.number() }) }), [{ v: { a: 1, b: 2 } }]],
    [
      "unions of scalars",
      z.strictObject({ v: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])) }),
      [{ v: ["a", 1, true, null] }],
    ],
    [
      "lists beside maps",
      z.strictObject({
        v: z.union([z.array(z.union([z.string(), z.null()])), z.record(z.string(), z.number())]).optional(),
      }),
      [{}, { v: ["a", null, { $ref: "s1.output" }] }, { v: { a: 1 } }],
    ],
    [
      "objects beside maps, and free lists",
      z.strictObject({
        v: z.union([
          z.strictObject({ a: z.number() }),
          z.looseObject({ b: z.number() }),
          z.array(z.array(z.unknown())),
        ]),
      }),
      [{ v: { a: 1 } }, { v: { b: 1, c: 2 } }, { v: [[{ x: 1 }]] }],
    ],
    [
      "large enums",
      z.strictObject({ v: z.enum(Array.from({ length: 200 }, (_, index) => `n${index}`)) }),
      [{ v: "n7" }],
    ],
    [
      "intersections",
      { type: "object", properties: { v: { allOf: [{ type: "object" }] } }, required: ["v"] },
      [{ v: { x: 1 } }],
    ],
    ["arguments that are a map", z.record(z.string(), z.number()), [{ a: 1 }, {}]],
    [
      "arguments of two kinds",
      z.union([z.strictObject({ a: z.number() }), z.strictObject({ b: z.number().optional() })]),
      [{ a: 1 }, { b: 2 }, {}],
    ],
    ["arguments of any kind", {}, [{ a: 1 }]],
    [
      "constants",
      {
        type: "object",
        properties: {
          a: { const: 1 },
          b: { const: { x: 1 } },
          c: { const: null },
          d: { enum: ["x", 1, null] },
        },
      },
      [{ a: 1, b: { x: 1 }, d: 1 }, { d: "x" }],
    ],
    [
      "missing types",
      {
        properties: {
          a: { properties: { x: { type: "number" } } },
          b: { type: "array" },
          c: { type: "odd" },
        },
      },
      [{ a: { x: 1 }, b: [1, "x"], c: [1] }, { c: "text" }],
    ],
    [
      "definitions that are elsewhere",
      {
        type: "object",
        properties: {
          a: { $ref: "#/$defs/x~1y" },
          b: { $ref: "#/$defs/none" },
          c: { $ref: "https://elsewhere.example/x" },
        },
        $defs: { "x/y": { type: "string" } },
      },
      [{ a: "x", b: [1], c: { y: 1 } }],
    ],
    [
      "a definition of itself",
      { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/a" } } },
      [{ a: [{}] }],
    ],
    [
      "all kinds of constraints",
      {
        type: "object",
        properties: {
          n: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 3, minimum: 1 },
          s: { type: "string", pattern: "a", minLength: 1, maxLength: 2, default: "a" },
          l: { type: "array", items: { type: ["string", "null"] }, minItems: 1, maxItems: 2 },
        },
        required: ["n", "s", "l"],
      },
      [
        { n: 3, s: "a", l: [null, "x"] },
        { n: 3, l: ["x"] },
      ],
    ],
    [
      "lists of choices",
      z.strictObject({
        v: z.array(
          z.discriminatedUnion("k", [
            z.strictObject({ k: z.literal("a"), x: z.string().optional() }),
            z.strictObject({ k: z.literal("b"), y: z.array(z.int()).optional() }),
          ]),
        ),
      }),
      [
        {
          v: [
            { k: "a" },
            { k: "b", y: [1] },
            { k: "a", x: "y" },
            { $ref: "s1.output" },
            { k: "b", y: [{ $ref: "s1.output" }] },
          ],
        },
      ],
    ],
  ];

  it.each(CASES)("stays within strict output, and round-trips %s", (_name, input, values) => {
    expect.hasAssertions();
    const spec = toolOf(input);
    const schema = draftSchema([spec]);
    expectStrict(schema);
    expectStrict(draftSchema([spec], { ties: true }));
    for (const args of values) expectRoundTrip(spec, schema, args);
  });

  it("round-trips any arguments of any tool", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(toolWithArgs(), ({ input, args }) => {
        const spec = toolOf(input);
        const schema = draftSchema([spec, toolOf(z.strictObject({}), "other.tool")]);
        expectStrict(schema);
        expectRoundTrip(spec, schema, args);
        return true;
      }),
    );
  });
});

/** A step in the schema's form: its call is under `call`. */
function called({ tool, args, ...step }: JsonObject): JsonObject {
  return { ...step, call: { tool: tool ?? null, args: args ?? null } };
}

/** Encodes arguments as the schema requires, and reads them back. */
function expectRoundTrip(spec: ToolSpec, schema: JsonSchema, args: Json): void {
  const step = { id: "s1", description: "d", tool: spec.name, dependsOn: ["s0"] };
  const written = {
    ...step,
    args: encode(args, argumentShape(spec.input)),
    flow: null,
    successCriteria: null,
    expectedOutput: null,
  };
  const draft = { reasoning: "", steps: [called(written)], answerFrom: null };
  expect(z.fromJSONSchema(schema).safeParse(draft).error?.issues).toBeUndefined();
  const tools = new Map([[spec.name, spec]]);
  const read = normalizeDraftStep(called(written), tools);
  expect(read).toEqual({ ...step, args });
  // Also when the model omits `call` and writes its fields into the step.
  expect(normalizeDraftStep(written, tools)).toEqual(read);
  // Values written without the schema's conventions pass unchanged, but null always means "left out".
  const again = normalizeDraftStep(read, new Map([[spec.name, spec]]));
  expect(JSON.stringify(args).includes("null") || again).toEqual(
    JSON.stringify(args).includes("null") || read,
  );
  expect(Step.safeParse(read).success).toBe(true);
}

/** Encodes a value as a model under strict output would write it. */
function encode(value: Json, shape: Shape): Json {
  if (isReferenceObject(value)) return toWire(value);
  switch (shape.kind) {
    case "scalar":
      return value;
    case "list":
      return Array.isArray(value) ? value.map((entry) => encode(entry, shape.items)) : value;
    case "object":
      if ([...shape.fields.keys()].some((name) => /[^\w.-]/.test(name))) return jsonText(value);
      return Object.fromEntries(
        Array.from(shape.fields, ([name, field]) => {
          const entry = isJsonObject(value) ? value[name] : undefined;
          return [name, entry === undefined ? null : encode(entry, field.shape)];
        }),
      );
    case "union": {
      const written = shape.alternatives
        .map((one) => encode(value, one))
        .filter((_, index) => holds(value, shape.alternatives[index]));
      return written[0] ?? value;
    }
    case "free":
      return typeof value === "object" ? jsonText(value) : value;
    default:
      return shape satisfies never;
  }
}

function jsonText(value: Json): Json {
  return { [WIRE_JSON]: JSON.stringify(toWire(value)) };
}

/** Whether a value matches an alternative; sufficient for the unions of this test. */
function holds(value: Json, shape: Shape | undefined): boolean {
  if (shape === undefined) return false;
  if (shape.kind === "scalar") {
    return (
      shape.values?.includes(value) ??
      shape.types.some(
        (type) =>
          type === (value === null ? "null" : typeof value) ||
          (type === "integer" && Number.isInteger(value)),
      )
    );
  }
  if (shape.kind === "list") return Array.isArray(value);
  if (shape.kind === "free") return typeof value === "object" && value !== null;
  if (shape.kind === "union" || !isJsonObject(value)) return false;
  return (
    Object.keys(value).every((key) => shape.fields.has(key)) &&
    [...shape.fields].every(([name, field]) => {
      const entry = value[name];
      return entry === undefined
        ? field.optional
        : field.shape.kind !== "scalar" || isReferenceObject(entry) || holds(entry, field.shape);
    })
  );
}

/** The rules of strict structured output that its implementations share. */
function expectStrict(schema: JsonSchema): void {
  const KNOWN = new Set([
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "enum",
    "description",
  ]);
  expect(schema["type"]).toBe("object");
  const walk = (node: Json, objects: number): void => {
    expect(objects).toBeLessThanOrEqual(6);
    if (!isJsonObject(node)) throw new Error(`wanted a schema, got ${JSON.stringify(node)}`);
    expect(Object.keys(node).filter((key) => !KNOWN.has(key))).toEqual([]);
    const { properties, anyOf, items } = node;
    const fields = isJsonObject(properties ?? null) ? (properties as JsonObject) : undefined;
    expect(fields !== undefined).toBe(node["type"] === "object");
    expect(node["additionalProperties"]).toBe(fields && false);
    expect(node["required"]).toEqual(fields && Object.keys(fields));
    for (const property of Object.values(fields ?? {})) walk(property, objects + 1);
    if (node["type"] === "array") walk(items ?? null, objects);
    for (const one of (anyOf as Json[] | undefined) ?? []) walk(one, objects);
    expect(anyOf !== undefined || typeof node["type"] === "string" || Array.isArray(node["type"])).toBe(true);
  };
  walk(schema, 0);
}

/** A tool's input schema, and arguments that are valid under it, references included. */
function toolWithArgs(): fc.Arbitrary<{ input: JsonSchema; args: Json }> {
  type Typed = { schema: JsonSchema; value: fc.Arbitrary<Json> };
  const name = fc.constantFrom("a", "b", "c", "d", "long name", "$x");
  const reference = fc.constant<Json>({ $ref: "s0.output.x" });
  const text = fc.oneof(fc.string(), fc.constantFrom("{{s0.output}}", "null", "5", '{"a": 1}', "[1]"));
  const json = fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => withoutReserved(JSON.parse(JSON.stringify(value)) as Json));
  const scalar: fc.Arbitrary<Typed> = fc.constantFrom<Typed>(
    { schema: { type: "string", minLength: 0 }, value: text },
    { schema: { type: "integer", minimum: -5 }, value: fc.integer({ min: -5, max: 5 }) },
    {
      schema: { type: "number" },
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    },
    { schema: { type: "boolean" }, value: fc.boolean() },
    { schema: { enum: ["x", "y", 3] }, value: fc.constantFrom<Json>("x", "y", 3) },
    { schema: { type: ["string", "number"] }, value: fc.oneof(text, fc.nat()) },
  );
  const { node } = fc.letrec<{ node: Typed }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      fc.constant<Typed>({ schema: {}, value: json }),
      fc.constant<Typed>({
        schema: { type: "object", additionalProperties: {} },
        value: fc.dictionary(name, json),
      }),
      tie("node").map(
        ({ schema, value }): Typed => ({
          schema: { type: "array", items: schema },
          value: fc.array(value, { maxLength: 3 }),
        }),
      ),
      objectOf(tie("node")),
    ),
  }));
  function objectOf(property: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
    return fc.dictionary(name, fc.tuple(property, fc.boolean()), { maxKeys: 4 }).map((fields): Typed => {
      const entries = Object.entries(fields);
      return {
        schema: {
          type: "object",
          properties: Object.fromEntries(entries.map(([key, [typed]]) => [key, typed.schema])),
          required: entries.filter(([, [, needed]]) => needed).map(([key]) => key),
          additionalProperties: false,
        },
        value: fc.record(
          Object.fromEntries(
            entries.map(([key, [typed]]) => [
              key,
              fc.oneof({ weight: 4, arbitrary: typed.value }, reference),
            ]),
          ),
          {
            requiredKeys: entries.filter(([, [, needed]]) => needed).map(([key]) => key),
            noNullPrototype: true,
          },
        ) as fc.Arbitrary<Json>,
      };
    });
  }
  return objectOf(node).chain(({ schema, value }) => value.map((args) => ({ input: schema, args })));
}

/** Values with reserved keys are not valid arguments. */
function withoutReserved(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key.replaceAll(/^(?:\$|__proto__)/g, "_"),
      withoutReserved(entry),
    ]),
  );
}

it("asks for the model's confidence only if enabled", () => {
  const tools = [toolOf(z.strictObject({ of: z.string() }))];
  expect(JSON.stringify(draftSchema(tools))).not.toContain('"confidence"');
  expect(JSON.stringify(draftSchema(tools, { confidence: true }))).toContain('"confidence"');
});
