import { expect, it } from "vitest";
import { readAnswer, readEdits } from "./edits-field.tsx";

const shown = { to: "ann", amount: 3 };

it.each([
  ["the same in another layout", '{ "to":"ann",\n "amount": 3 }', { kind: "same" }],
  ["another value", '{"to": "bob", "amount": 3}', { kind: "changed", value: { to: "bob", amount: 3 } }],
  ["no JSON", "{to: bob}", { kind: "invalid" }],
  ["a list", "[1]", { kind: "invalid", reason: "Enter a JSON object in braces" }],
  ["null", "null", { kind: "invalid", reason: "Enter a JSON object in braces" }],
])("reads edits: %s", (_what, text, wanted) => {
  expect(readEdits(text, shown)).toMatchObject(wanted);
});

it("reads an answer as JSON if it is valid JSON, otherwise as text", () => {
  expect(readAnswer("north")).toBe("north");
  expect(readAnswer("42")).toBe(42);
  expect(readAnswer('{"region": "north"}')).toEqual({ region: "north" });
});
