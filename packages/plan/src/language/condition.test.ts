import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StepId } from "../values/ids.ts";
import type { Json } from "../values/json.ts";
import { valueAt } from "../arguments/resolve-references.ts";
import { holds, UnjudgedConditionError } from "./condition.ts";
import { conditionReferences, parseCondition, renameInCondition } from "./parse-condition.ts";

const OUTPUT: Json = {
  total: 12,
  name: "Ann",
  tags: ["new", "old"],
  none: null,
  items: [{ price: 3 }],
  shortTags: ["new"],
  noTags: [],
  nothing: {},
  pair: { a: 1, b: [2] },
  riap: { b: [2], a: 1 },
  other: { a: 1, b: [3] },
};

/** Evaluates a condition over one output, `s1.output`. */
function judge(text: string): boolean {
  const parsed = parseCondition(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return holds(parsed.condition, (reference) => valueAt(OUTPUT, reference));
}

describe("a condition", () => {
  it("compares values up to the nesting depth of plans, and no deeper", () => {
    const parsed = parseCondition("s1.output == s2.output");
    if ("fault" in parsed) throw new Error(parsed.fault);
    const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(holds(parsed.condition, () => nested(10))).toBe(true);
    expect(() => holds(parsed.condition, () => nested(1_000))).toThrow(UnjudgedConditionError);
  });

  it.each([
    ["s1.output.total > 10", true],
    ["s1.output.total >= 12 and s1.output.total < 12.5", true],
    ["not s1.output.total == 12", false],
    ["s1.output.total != 12 or s1.output.name == 'Ann'", true],
    ['s1.output.name contains "nn" && !(s1.output.none)', true],
    ["s1.output.tags contains 'old'", true],
    ["s1.output.tags contains 'ol'", false],
    ["s1.output.items[0].price <= -1", false],
    ['s1.output["name"] == "Ann"', true],
    ["{{ s1.output.total }} == 12", true],
    ["s1.output.items == s1.output.items", true],
    ["s1.output.items == s1.output.tags", false],
    ["s1.output.tags != s1.output.shortTags", true],
    ["s1.output.pair == s1.output.riap", true],
    ["s1.output.pair == s1.output.other", false],
    ["s1.output.pair == s1.output.items[0]", false],
    ["s1.output.tags and not s1.output.noTags", true],
    ["s1.output.pair and not s1.output.nothing", true],
    ["s1.output.name", true],
    ["false or s1.output.none == null", true],
    // `and` binds closer than `or`, and `not` closer than both.
    ["true or s1.output.total and false", true],
    ["not false and s1.output.none", false],
    ["s1.output.none > 1 or s1.output.none <= 1 or s1.output.none contains 'a'", false],
  ])("is true or false: %s", (text, expected) => {
    expect(judge(text)).toBe(expected);
  });

  it.each([
    ["s1.output.total > 'a'", "wanted two numbers or two texts around >, got a number and a text"],
    ["s1.output.tags < s1.output.items", "got a list and a list"],
    ["s1.output.pair > 1", "got an object and a number"],
    ["s1.output.name contains null", "got a text and null"],
    ["s1.output.total contains 1", "wanted a list, or two texts, around contains"],
  ])("cannot be evaluated when it compares values of different types: %s", (text, message) => {
    expect(() => judge(text)).toThrow(UnjudgedConditionError);
    expect(() => judge(text)).toThrow(message);
  });

  it.each([
    ["", "the end"],
    ["s1.output.a >", "the end"],
    ["s1.output.a > 1 s2.output.b", "wanted and, or, or the end, got s2.output.b"],
    ["(s1.output.a", "wanted ), got the end"],
    ["fetch('http://a')", "wanted a condition such as"],
    ["s1.output.a = 1", "wanted a condition such as"],
    ["{{s1.result}} > 1", "wanted a condition such as"],
    [`${"(".repeat(40)}s1.output${")".repeat(40)}`, "at most 32 levels"],
    [`${"not ".repeat(40)}s1.output`, "at most 32 levels"],
    [`s1.output == "${"a".repeat(1_000)}"`, "at most 1000 characters"],
  ])("is refused with a description of the expected text: %s", (text, message) => {
    expect(parseCondition(text)).toEqual({ fault: expect.stringContaining(message) as string });
  });

  it("parses without an exception or a long run time, whatever its text", () => {
    expect.hasAssertions();
    const words = fc.constantFrom(
      "and",
      "not",
      "(",
      ")",
      "==",
      "s1.output.a",
      '"x',
      "'",
      "1",
      " ",
      "\\",
      "{{",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 1_000 }),
          fc.array(words).map((all) => all.join(" ")),
        ),
        (text) => {
          const isUnderstood = "condition" in parseCondition(text);
          expect(isUnderstood || conditionReferences(text).length === 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("can be rewritten for renamed steps", () => {
    const rename = (id: StepId) => StepId.parse(`${id}-d2`);
    expect(renameInCondition('s1.output.s2.output == "s1.output" or {{s2.output}}', rename)).toBe(
      's1-d2.output.s2.output == "s1.output" or {{s2-d2.output}}',
    );
  });
});
