// Every schema that is sent to a model compiles where models are served.
import { draftSchema, type JsonSchema, ToolSpec } from "@planwright/plan";
import { schemaSize, SCHEMA_LIMITS, CHECK_SCHEMA } from "@planwright/shared/model";
import { grammarFaults, strictSchemaFaults } from "@planwright/testkit";
import { glob, readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createToolbox } from "../services/executor/src/tools/create-toolbox.ts";
import { DIGEST_SCHEMA } from "../services/executor/src/tools/model-write.ts";
import { turnSchema } from "../services/executor/src/tools/agent-react.ts";
import { VALUES_SCHEMA } from "../services/reflector/src/replies/action-values.ts";
import { REVIEW_SCHEMAS } from "../services/reflector/src/replies/findings.ts";
import { JUDGEMENT_SCHEMA } from "../services/reflector/src/replies/judgement.ts";
import { STATE_PATCH_SCHEMA } from "../services/reflector/src/replies/state-patch.ts";
import { createAllTools } from "./support/all-tools.ts";

/** Tools as untrusted servers describe them: names that are keywords elsewhere, unions, patterns, maps, schemas that hold themselves. */
const STRANGE: Readonly<Record<string, JsonSchema>> = {
  "odata.query": {
    type: "object",
    properties: { $filter: { type: "string" }, "filter[id]": { type: "array", items: { type: "string" } } },
  },
  "schema.check": {
    type: "object",
    properties: { $ref: { type: "string" }, $defs: { type: "object" }, pattern: { type: "string" } },
    required: ["$ref"],
    additionalProperties: false,
  },
  "shape.draw": {
    type: "object",
    properties: {
      shape: {
        oneOf: [
          { type: "object", properties: { kind: { const: "circle" }, r: { type: "number", minimum: 0 } } },
          { type: "object", properties: { size: { type: "number" }, kind: { const: "square" } } },
          { type: "object", properties: { size: { type: "number" }, sides: { type: "integer" } } },
        ].map((one) => ({ ...one, additionalProperties: false, required: Object.keys(one.properties) })),
      },
    },
    required: ["shape"],
    additionalProperties: false,
  },
  "text.find": {
    type: "object",
    properties: {
      pattern: { type: "string", pattern: "^(?!x)\\d{3,9000}$", minLength: 3_000 },
      when: { type: "string", format: "email" },
      words: { type: "array", items: { type: "string" }, minItems: 5_000, uniqueItems: true },
      amount: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      tuple: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      either: { allOf: [{ type: "string" }, { minLength: 1 }] },
    },
    additionalProperties: false,
  },
  "tree.save": {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: { node: { type: "object", properties: { left: { $ref: "#/$defs/node" } } } },
    additionalProperties: false,
  },
};

const all = createAllTools();
afterAll(() => all[Symbol.dispose]());
const own = createToolbox(all.tools).specs();
const strange = Object.entries(STRANGE).map(([name, input]) => toolOf(name, input));
const tools = [...own, ...strange];
const agents = new Map([["researcher", { description: "looks", tools: tools.map(({ name }) => name) }]]);

/** By the name that the request gives it, for every way of asking. */
const SENT: Readonly<Record<string, readonly JsonSchema[]>> = {
  plan: [
    draftSchema(tools),
    draftSchema(own.filter(({ effect }) => effect === "read")),
    draftSchema(tools, { agents, confidence: true, review: true, lists: true, ties: true }),
    ...tools.map((tool) => draftSchema([tool], { lists: true })),
  ],
  react_turn: [turnSchema(["docs.search"]), turnSchema(tools.slice(0, 20).map(({ name }) => name))],
  digest: [DIGEST_SCHEMA],
  state_patch: [STATE_PATCH_SCHEMA],
  judgement: [JUDGEMENT_SCHEMA],
  values: [VALUES_SCHEMA],
  step_review: [REVIEW_SCHEMAS.step_review],
  plan_review: [REVIEW_SCHEMAS.plan_review],
  answer_review: [REVIEW_SCHEMAS.answer_review],
  check: [CHECK_SCHEMA],
};

describe("a schema that is sent to a model", () => {
  it.each(Object.entries(SENT))("compiles to a grammar in llama.cpp: %s", (_name, schemas) => {
    expect(schemas.flatMap(grammarFaults)).toEqual([]);
  });

  it.each(Object.entries(SENT))("is taken by strict structured output: %s", (name, schemas) => {
    expect(schemas.flatMap((schema) => strictSchemaFaults(name, schema))).toEqual([]);
  });

  it("is one of those above, wherever it is sent from", async () => {
    const names = new Set<string>();
    for await (const file of glob("{packages,services}/*/src/**/*.ts")) {
      const text = file.endsWith(".test.ts") ? "" : await readFile(file, "utf8");
      if (!/outputSchema|askForJson|askReviewer/.test(text)) continue;
      for (const [, name = ""] of text.matchAll(/name: "(\w+)",\s*schema\b/g)) names.add(name);
      for (const [, name = ""] of text.matchAll(/"(\w+_review)"/g)) names.add(name);
    }
    expect([...names].toSorted()).toEqual(Object.keys(SENT).toSorted());
  });

  it("stays within the documented limits with a hundred tools that change something", () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      toolOf(`crm.tool-${index}`, STRANGE["text.find"] ?? {}, "once"),
    );
    const size = schemaSize(draftSchema(many, { lists: true, ties: true }));
    expect(size.enumValues).toBeLessThanOrEqual(SCHEMA_LIMITS.enumValues);
    expect(size.properties).toBeLessThanOrEqual(SCHEMA_LIMITS.properties);
  });
});

describe("the rule of llama.cpp's converter", () => {
  const faultsOf = (properties: JsonSchema) =>
    grammarFaults({ type: "object", properties, required: [], additionalProperties: false });

  it("refuses a property named $ref, and a reference that leads nowhere", () => {
    expect(faultsOf({ $ref: { type: "string" } })).toEqual([
      ".properties: $ref is no text: the server throws a type error",
    ]);
    expect(faultsOf({ a: { $ref: "s1.output" } })).toEqual([".properties.a: Unsupported ref: s1.output"]);
    expect(faultsOf({ a: { $ref: "#/$defs/none" } })).toEqual([
      ".properties.a: Error resolving ref #/$defs/none",
    ]);
  });

  it.each([
    [{ type: "string", pattern: "a+" }, "Pattern must start with '^' and end with '$'"],
    [{ type: "string", pattern: "^(?=a)b$" }, "Unsupported pattern syntax"],
    [{ type: "string", format: "email" }, "format email is ignored"],
    [{ type: "string", minLength: 2_000 }, "minLength 2000: a rule is repeated too often (max 1999)"],
    [{ type: "number", minimum: 0 }, "bounds of a number are ignored"],
    [{ type: "date" }, 'Unrecognized schema: type "date"'],
    [{ type: "object", properties: {} }, "properties beside the named ones are refused, not allowed"],
    [{ type: "array", items: {}, maxItems: 5_000 }, "maxItems 5000: a rule is repeated too often (max 1999)"],
  ])("finds the fault of %j", (schema, message) => {
    expect(faultsOf({ a: schema })).toEqual([`.a: ${message}`]);
  });
});

describe("the rule of strict structured output", () => {
  const object = (properties: JsonSchema): JsonSchema => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const id = { id: { type: "string" } };
  const kind = (value: string) => object({ kind: { type: "string", enum: [value] }, ...id });

  it("wants objects of a union to differ in their first property", () => {
    const union = (...anyOf: JsonSchema[]) => strictSchemaFaults("test", object({ a: { anyOf } }));
    expect(union(object(id), object({ ...id, b: { type: "null" } }))).toEqual([
      "root.a: objects provided via 'anyOf' share the first key id",
    ]);
    expect(union(kind("x"), kind("x"))).toHaveLength(1);
    expect(union(kind("x"), kind("y"), object(id), { type: "null" })).toEqual([]);
  });

  it("wants every property required and no others", () => {
    expect(strictSchemaFaults("test", { ...object(id), required: [] })).toEqual([
      "root: 'required' must include id",
    ]);
    expect(strictSchemaFaults("test", { type: "object", properties: id, required: ["id"] })).toHaveLength(1);
    expect(strictSchemaFaults("test", object({ $id: { type: "string" } }))).toHaveLength(1);
    expect(strictSchemaFaults("test", object({ a: { type: "string", minLength: 1 } }))).toHaveLength(1);
  });

  it("counts levels, properties and values", () => {
    const nested = (levels: number): JsonSchema =>
      levels === 0 ? { type: "string" } : object({ a: nested(levels - 1) });
    expect(strictSchemaFaults("test", nested(10))).toEqual([]);
    expect(strictSchemaFaults("test", nested(11))).toEqual(["11 levels of objects (max 10)"]);
    const values = Array.from({ length: 251 }, (_, index) => `${index}`.padStart(60, "x"));
    expect(strictSchemaFaults("test", object({ a: { type: "string", enum: values } }))).toEqual([
      "15060 characters of one enum (max 15000)",
    ]);
  });
});

function toolOf(name: string, input: JsonSchema, effect = "idempotent"): ToolSpec {
  return ToolSpec.parse({ name, description: name, input, output: {}, effect, timeoutMs: 1_000 });
}
