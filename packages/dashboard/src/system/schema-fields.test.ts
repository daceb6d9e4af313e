import { expect, it } from "vitest";
import { fieldsOf, readArguments } from "./schema-fields.ts";

const SCHEMA = {
  type: "object",
  properties: {
    query: { type: "string", maxLength: 400, description: "What to look for." },
    limit: { type: "integer", minimum: 1, maximum: 20, default: 5 },
    share: { type: "number" },
    exact: { type: "boolean" },
    language: { enum: ["en", "de"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    value: {},
    odd: true,
  },
  required: ["query", "value"],
};
const fields = fieldsOf(SCHEMA);

it("reads a schema as rows", () => {
  expect(fields.map(({ name, type, required }) => `${name}${required ? "*" : ""}: ${type}`)).toEqual([
    "query*: text, max 400 characters",
    "limit: whole number, min 1, max 20",
    "share: number",
    "exact: yes or no",
    "language: en, de",
    "tags: list of text, max 3",
    "value*: any JSON",
    "odd: any JSON",
  ]);
  expect(fields[1]?.fallback).toBe(5);
  expect(fieldsOf({})).toEqual([]);
});

it("reads the typed text as arguments", () => {
  const typed = {
    query: "a",
    limit: "3",
    share: "0.5",
    exact: "false",
    language: "de",
    tags: '["x"]',
    value: '"y"',
  };
  expect(readArguments(fields, typed)).toEqual({
    args: { query: "a", limit: 3, share: 0.5, exact: false, language: "de", tags: ["x"], value: "y" },
    faults: {},
  });
});

it("reports what is wrong with a field", () => {
  expect(readArguments(fields, { query: " ", limit: "1.5", share: "much", value: "{x" })).toEqual({
    args: {},
    faults: {
      query: "Required",
      limit: "Enter a whole number",
      share: "Enter a number",
      value: "Enter JSON: text in quotes, a number, a list or an object",
    },
  });
});

it("reads arguments with the names of inherited object properties", () => {
  const properties = JSON.parse('{"constructor": {"type": "string"}, "__proto__": {"type": "constructor"}}');
  const odd = fieldsOf({ properties, required: ["constructor"] });
  expect(odd.map(({ name, type }) => [name, type])).toEqual([
    ["constructor", "text"],
    ["__proto__", "constructor"],
  ]);
  expect(Object.entries(readArguments(odd, {}).faults)).toEqual([["constructor", "Required"]]);
  const typed = JSON.parse('{"constructor": "a", "__proto__": "1"}');
  expect(JSON.stringify(readArguments(odd, typed).args)).toBe('{"constructor":"a","__proto__":1}');
});
