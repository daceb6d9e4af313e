import { describe, expect, it } from "vitest";
import { inlineValue, readableValue } from "./readable-value.ts";

describe("a value as text", () => {
  it.each([
    ["a text", "two\nlines", "two\nlines"],
    ["a number", 42, "42"],
    ["null", null, "null"],
    ["an empty list", [], "none"],
    ["an empty object", {}, "none"],
    ["one field", { total: 3 }, "total: 3"],
    ["a list of one", ["a"], "- a"],
    ["fields", { a: 1, b: true }, "- a: 1\n- b: true"],
    ["a list of scalars in a field", { a: ["x", 2, null] }, "a: x, 2, null"],
    ["an empty field", { a: [], b: {} }, "- a: none\n- b: none"],
    [
      "records",
      [
        { id: 1, name: "x" },
        { id: 2, name: "y" },
      ],
      "- id: 1, name: x\n- id: 2, name: y",
    ],
    ["an object in a field", { a: { b: 1 } }, "- a:\n  - b: 1"],
    ["a list in a record of a list", [{ tags: ["x", "y"] }], "- 1:\n  - tags: x, y"],
    ["lines in a field, and an empty one", { a: "one\n\ntwo" }, "- a:\n  one\n\n  two"],
    ["lines in a list", ["one\ntwo"], "- 1:\n  one\n  two"],
    ["an empty text in a field", { a: "", b: 1 }, "- a:\n- b: 1"],
    ["a list with lines", { a: ["one\ntwo", "x"] }, "- a:\n  - 1:\n    one\n    two\n  - x"],
  ])("shows %s", (_what, value, text) => {
    expect(readableValue(value)).toBe(text);
  });

  it("is on one line only if it is short and flat", () => {
    expect(inlineValue({ a: 1, b: "x" })).toBe("a: 1, b: x");
    expect(inlineValue([])).toBe("none");
    expect(inlineValue("one\ntwo")).toBeUndefined();
    expect(inlineValue({ a: [1] })).toBeUndefined();
    expect(inlineValue(["x".repeat(201)])).toBeUndefined();
    expect(inlineValue(["x".repeat(200)])).toHaveLength(200);
  });
});
