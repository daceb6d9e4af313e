import { expect, it } from "vitest";
import type { Json } from "../values/json.ts";
import { ToolSpec } from "../language/tool-spec.ts";
import { normalizeDraftStep } from "./normalize-draft-step.ts";

const normalized = (step: Json) => normalizeDraftStep(step, new Map());

it.each<[Json, Json]>([
  ["s1.output.rows", { $ref: "s1.output.rows" }],
  ["{{s1.output.rows}}", { $ref: "s1.output.rows" }],
  [" {{ s1.output.rows }} ", { $ref: "s1.output.rows" }],
  ["rows of {{s1.output}}", { $ref: "rows of {{s1.output}}" }],
  [{ $ref: "s1.output" }, { $ref: "s1.output" }],
  [
    ["a", "b"],
    ["a", "b"],
  ],
])("reads the list %j as %j", (written, list) => {
  expect(normalized({ id: "s2", tool: "flow.echo", forEach: written })).toMatchObject({ forEach: list });
});

it("moves the fields under `flow` to the step, unless the step has them itself", () => {
  expect(normalized({ id: 2, tool: "flow.echo", dependsOn: [1, "x"], flow: { when: "a", id: "b" } })).toEqual(
    {
      id: "2",
      tool: "flow.echo",
      dependsOn: ["1", "x"],
      when: "a",
    },
  );
  expect(normalized({ id: "s2", flow: null, description: null })).toEqual({ id: "s2" });
  expect(normalized({ id: "s2", flow: "later" })).toEqual({ id: "s2", when: "later" });
});

it("decodes a compensation like any other call", () => {
  const step = { id: "s2", tool: "flow.echo", compensate: { tool: "flow.echo", args: { value: 1 } } };
  expect(normalized(step)).toEqual(step);
  expect(normalized({ id: "s2", compensate: "undo" })).toEqual({ id: "s2", compensate: "undo" });
});

/** A tool's arguments after decoding with its schema. */
function decoded(properties: Record<string, Json>, args: Json): Json {
  const tool = ToolSpec.parse({
    name: "a.tool",
    description: "d",
    input: { type: "object", properties, additionalProperties: false },
    output: {},
    timeoutMs: 1_000,
  });
  const step = normalizeDraftStep({ id: "s1", tool: "a.tool", args }, new Map([[tool.name, tool]]));
  return (step as { args: Json }).args;
}

it.each<[string, Json, Json]>([
  ["JSON text under its old key", { $json: '{"n": 1}' }, { n: 1 }],
  ["JSON text under its key", { __json: "[1, 2]" }, [1, 2]],
  ["JSON text that is no JSON, to be refused", { __json: "{n" }, { __json: "{n" }],
  ["a list", [1, 2], [1, 2]],
  ["a reference", { __ref: "s0.output" }, { $ref: "s0.output" }],
])("decodes a free argument: %s", (_what, written, value) => {
  expect(decoded({ value: { type: "object", additionalProperties: true } }, { value: written })).toEqual({
    value,
  });
});

it.each<[string, Json, Json]>([
  ["the alternative that its kind names", { kind: "b", n: { __json: "3" } }, { kind: "b", n: 3 }],
  ["a list", ["{{s1.output}}"], [{ $ref: "s1.output" }]],
  ["what fits no alternative", { kind: "c" }, { kind: "c" }],
  ["an object with a field too many", { kind: "a", n: "1", more: 1 }, { kind: "a", n: "1", more: 1 }],
  ["a whole number for a number", 3, 3],
])("decodes a union by the alternative that fits: %s", (_what, written, value) => {
  const object = (kind: string, n: Json): Json => ({
    type: "object",
    properties: { kind: { const: kind }, n },
    required: ["kind"],
    additionalProperties: false,
  });
  const anyOf = [
    object("a", { type: "string" }),
    object("b", { type: "integer" }),
    { type: "array", items: { type: "integer" } },
    { type: "number" },
  ];
  expect(decoded({ value: { anyOf } }, { value: written })).toEqual({ value });
});

it("leaves a value of the wrong type unchanged, for the check to refuse", () => {
  const properties = {
    list: { type: "array", items: { type: "integer" } },
    object: { type: "object", properties: { a: { type: "integer" } }, additionalProperties: false },
  };
  expect(decoded(properties, { list: { a: 1 }, object: [1] })).toEqual({ list: { a: 1 }, object: [1] });
  expect(decoded(properties, { list: "[1, 2]", object: '{"a": 1}' })).toEqual({
    list: [1, 2],
    object: { a: 1 },
  });
  expect(decoded(properties, { list: "{{nonsense}}", object: "{a" })).toEqual({
    list: "{{nonsense}}",
    object: "{a",
  });
});

it("keeps a call or a flow that is not an object as a field, to be refused", () => {
  expect(normalized({ id: "s2", tool: "flow.echo", flow: [1] })).toEqual({ id: "s2", tool: "flow.echo" });
  expect(normalized({ id: "s2", call: { tool: "flow.echo" } })).toEqual({ id: "s2", tool: "flow.echo" });
});

it("drops the compensation of a read-only step, and notes it", () => {
  const tool = ToolSpec.parse({
    name: "a.read",
    description: "d",
    effect: "read",
    input: {},
    output: {},
    timeoutMs: 1_000,
  });
  const notes: string[] = [];
  const compensate = { tool: "a.read", args: {} };
  const step = normalizeDraftStep(
    { id: "s1", tool: "a.read", compensate },
    new Map([[tool.name, tool]]),
    (note) => notes.push(note),
  );
  expect(step).toEqual({ id: "s1", tool: "a.read" });
  expect(notes).toEqual(['dropped "compensate" of a step whose tool a.read changes nothing']);
});

it("leaves anything that is not a step unchanged", () => {
  expect(normalized("step 1: search")).toBe("step 1: search");
});
