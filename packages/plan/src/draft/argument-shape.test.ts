import { expect, it } from "vitest";
import { argumentShape, type Shape } from "./argument-shape.ts";

/** The shape of one argument, by its schema. */
function shapeOf(property: object, more: object = {}): Shape {
  const shape = argumentShape({ type: "object", properties: { x: property as never }, ...more });
  const field = shape.kind === "object" ? shape.fields.get("x") : undefined;
  if (field === undefined) throw new Error("wanted an object with the field x");
  return field.shape;
}

it("is an object without fields if the schema describes none", () => {
  expect(argumentShape({ type: "object", additionalProperties: false })).toMatchObject({ fields: new Map() });
});

it("is a single shape if a union has a single one, with the notes of both", () => {
  const text = { type: "string", description: "words" };
  expect(shapeOf({ anyOf: [text] })).toMatchObject({ kind: "scalar", types: ["string"], note: "words" });
  expect(shapeOf({ anyOf: [text], description: "a name" })).toMatchObject({ note: "a name" });
});

it("is flat for nested unions", () => {
  const inner = { anyOf: [{ type: "number" }, { type: "boolean" }] };
  const shape = shapeOf({ oneOf: [{ type: "string" }, inner] });
  expect(shape).toMatchObject({
    alternatives: [{ types: ["string"] }, { types: ["number"] }, { types: ["boolean"] }],
  });
});

it("keeps, next to a free value, only alternatives that contain no free value themselves", () => {
  const free = { type: "object", additionalProperties: {} };
  const shape = shapeOf({
    anyOf: [
      { type: "string" },
      { type: "array", items: free },
      { type: "object", properties: { y: free } },
      free,
    ],
  });
  expect(shape).toMatchObject({ kind: "union", alternatives: [{ kind: "scalar" }, { kind: "free" }] });
  expect(shapeOf({ anyOf: [free, { type: "array", items: free }] })).toMatchObject({ kind: "free" });
});

it("follows references, and accepts any value where they cannot be resolved", () => {
  const $defs = { "a/b": { type: "integer" } };
  expect(shapeOf({ $ref: "#/$defs/a~1b" }, { $defs })).toMatchObject({ types: ["integer"] });
  expect(shapeOf({ $ref: "#/$defs/none" }, { $defs })).toMatchObject({ kind: "free" });
  expect(shapeOf({ $ref: "https://example.com/schema" })).toMatchObject({ kind: "free" });
});

it("notes constraints that a type does not express, except lengths, which the check reports", () => {
  const yes = { type: "boolean", default: true };
  expect(shapeOf(yes).note).toBe("default true");
  const count = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  expect(shapeOf(count).note).toBe("");
  expect(shapeOf({ ...count, minimum: 2, maximum: 9, description: "How many." }).note).toBe(
    "How many; min 2; max 9",
  );
  const name = { type: "string", pattern: "^a+$", minLength: 1, maxLength: 9 };
  expect(shapeOf(name).note).toBe("matches ^a+$");
  expect(shapeOf({ ...name, description: "A name." }).note).toBe("A name");
});
