import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../api/api-types.ts";
import { faultOf, isSame } from "./check-argument.ts";

const rows: readonly (readonly [JsonObject, Json, string | undefined])[] = [
  [{ type: "string" }, "a", undefined],
  [{ type: "string" }, 1, "Enter text"],
  [{ type: "string", minLength: 1 }, "", "Required"],
  [{ type: "string", maxLength: 2 }, "👍👍👍", "Max 2 characters, has 3"],
  [{ type: "string", maxLength: 3 }, "👍👍👍", undefined],
  [{ type: "string", format: "date" }, "2026-02-31x", "Enter a date, such as 2026-01-31"],
  [
    { type: "string", format: "date-time" },
    "2026-02-03",
    "Enter a date and time, such as 2026-01-31T10:00:00Z",
  ],
  [{ type: "string", format: "uri" }, "example.com", "Enter a full URL, such as https://example.com/"],
  [{ type: "integer", minimum: 1 }, 1.5, "Enter a whole number"],
  [{ type: "integer", minimum: 1 }, 0, "Min 1"],
  [{ type: "number", exclusiveMinimum: 0 }, 0, "Must be greater than 0"],
  [{ type: ["string", "null"] }, null, undefined],
  [{ enum: ["north", "south"] }, "east", "Enter one of: north, south"],
  [{ const: { a: 1 } }, { a: 1 }, undefined],
  [{ type: "array", maxItems: 1, items: { type: "string" } }, ["a", "b"], "Max 1 items"],
  [{ type: "array", items: { type: "number" } }, [1, "2"], "[1]: Enter a number"],
  [{ type: "object", required: ["a"] }, {}, "a: Required"],
  [{ type: "object", properties: { a: { type: "boolean" } } }, { a: 1 }, "a: Enter true or false"],
  [{ type: "object", additionalProperties: false }, { b: 1 }, "b: The tool does not accept this argument"],
  [{ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, ["a"], undefined],
  [{ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, [1], "[0]: Enter text"],
  [{ allOf: [{ type: "number" }, { maximum: 3 }] }, 4, "Max 3"],
  // Patterns and references are left to the gateway.
  [{ type: "string", pattern: "^(a+)+$" }, "b", undefined],
  [{ $ref: "#/$defs/x" }, 1, undefined],
  [{}, { anything: true }, undefined],
];

describe("an argument and its schema", () => {
  it.each(rows)("%j and %j: %s", (schema, value, fault) => {
    expect(faultOf(schema, value)).toBe(fault);
  });
});

it("compares values regardless of the order of their fields", () => {
  expect(isSame({ a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] })).toBe(true);
  expect(isSame({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(isSame({ a: 1, toString: 2 }, { a: 1, b: 2 })).toBe(false);
  expect(isSame([1], [1, 2])).toBe(false);
});
