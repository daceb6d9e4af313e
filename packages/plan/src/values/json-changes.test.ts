import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges, changesBetween, type JsonChange } from "./json-changes.ts";

/** The changes after JSON serialization. */
const sent = (changes: readonly JsonChange[] | undefined) =>
  JSON.parse(JSON.stringify(changes)) as readonly JsonChange[];

/** A value that `JSON.parse` can return: without a negative zero. */
const json = fc.json({ maxDepth: 4 }).map((text): unknown => JSON.parse(text));

describe("changes", () => {
  it("turn one value into the other, and do not modify the original", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const untouched = structuredClone(before);
        expect(applyChanges(before, sent(changesBetween(before, after)))).toEqual(after);
        expect(before).toEqual(untouched);
      }),
    );
  });

  it("are empty between equal values", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(changesBetween(value, structuredClone(value))).toEqual([]);
      }),
    );
    expect(changesBetween({ a: undefined }, {})).toEqual([]);
    expect(changesBetween({}, { a: undefined })).toEqual([]);
  });

  it("include added, changed and removed values", () => {
    const before = { steps: [{ id: "a", status: "waiting" }, { id: "b" }, { id: "c" }], reason: "x" };
    const after = { steps: [{ id: "a", status: "running" }], answer: 1 };
    expect(changesBetween(before, after)).toEqual([
      [["steps", 0, "status"], "running"],
      [["steps", 1]],
      [["answer"], 1],
      [["reason"]],
    ]);
    expect(changesBetween([1], { 0: 1 })).toEqual([[[], { 0: 1 }]]);
  });

  it("share unchanged parts", () => {
    const before = { steps: [{ args: { a: 1 } }, { args: { a: 2 } }], facts: [1] };
    const after = { steps: [{ args: { a: 1 } }, { args: { a: 3 } }], facts: [1] };
    const changed = applyChanges(before, changesBetween(before, after) ?? []);
    expect(changed).toEqual(after);
    expect(changed.steps[0]).toBe(before.steps[0]);
    expect(changed.facts).toBe(before.facts);
  });

  it.each([
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    [{}, { a: 1, b: 2, c: 3 }],
    [{ a: 1, b: 2, c: 3 }, {}],
  ])("are not listed when there are too many: %j, %j", (before, after) => {
    expect(changesBetween(before, after, 2)).toBeUndefined();
    expect(changesBetween(before, after, 3)).toHaveLength(3);
  });

  it("can affect keys that every object inherits", () => {
    const before = JSON.parse('{"__proto__": {"a": 1}}') as object;
    const after = JSON.parse('{"__proto__": {"a": 2}, "constructor": 3}') as object;
    const changed = applyChanges(before, sent(changesBetween(before, after)));
    expect(JSON.stringify(changed)).toBe(JSON.stringify(after));
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
  });

  it("are refused for a value that they do not fit", () => {
    expect(() => applyChanges({}, [[["steps", 0, "status"], "running"]])).toThrow(RangeError);
    expect(() => applyChanges(1, [[["a"], 2]])).toThrow('there is no ["a"] to change');
  });
});
