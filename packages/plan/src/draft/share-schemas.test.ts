import { expect, it } from "vitest";
import type { JsonSchema } from "../language/tool-spec.ts";
import { shareSchemas } from "./share-schemas.ts";

const closed = (properties: JsonSchema): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const reference = closed({ __ref: { type: "string" } });
const text = { anyOf: [{ type: "string" }, reference] };

it("defines repeated parts once, also inside definitions", () => {
  const schema = closed({
    a: text,
    b: { type: "array", items: text },
    c: { anyOf: [{ type: "null" }, reference] },
  });
  expect(shareSchemas(schema)).toEqual({
    ...closed({
      a: { $ref: "#/$defs/a" },
      b: { type: "array", items: { $ref: "#/$defs/a" } },
      c: { anyOf: [{ type: "null" }, { $ref: "#/$defs/b" }] },
    }),
    $defs: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/b" }] }, b: reference },
  });
});

it("leaves unchanged parts that appear once, and parts no longer than a reference", () => {
  const schema = closed({ a: text, b: { type: ["string", "null"] }, c: { type: ["string", "null"] } });
  expect(shareSchemas(schema)).toEqual(schema);
});

it("keeps names unique when there are more definitions than letters", () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    closed({ [`property-${index}`]: { type: "string" } }),
  );
  const schema = closed({ a: { anyOf: many }, b: { type: "array", items: { anyOf: [...many, reference] } } });
  const shared = shareSchemas(schema);
  expect(new Set(Object.keys(Object(shared["$defs"]))).size).toBe(60);
});
