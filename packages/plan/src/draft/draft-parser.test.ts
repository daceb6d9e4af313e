import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../values/json.ts";
import type { DraftEnd } from "./draft-end.ts";
import { createDraftParser } from "./draft-parser.ts";

type Seen = { reasoning: string[]; steps: Json[]; ends: DraftEnd[]; end: DraftEnd };

function parse(pieces: Iterable<string>, options = {}): Seen {
  const seen: Omit<Seen, "end"> = { reasoning: [], steps: [], ends: [] };
  const parser = createDraftParser(
    {
      onReasoning: (text) => seen.reasoning.push(text),
      onStep: (step, index) => {
        expect(index).toBe(seen.steps.length);
        seen.steps.push(step);
      },
      onEnd: (end) => seen.ends.push(end),
    },
    options,
  );
  for (const piece of pieces) parser.push(piece);
  const end = parser.end();
  expect(seen.ends).toEqual([end]);
  expect(parser.end()).toBe(end);
  return { ...seen, end };
}

const draft = (steps: Json[], rest: { [key: string]: Json } = { answerFrom: null }) =>
  JSON.stringify({ reasoning: "because", steps, ...rest });
const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
/** Any character. fast-check's own unit "binary" lists all 1.1 million of them before its first case. */
const anyCharacter = fc.nat(0x10ffff - SURROGATES).map(
  (index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
  (character) => {
    if (typeof character !== "string" || !/^[^\p{Surrogate}]$/u.test(character))
      throw new Error("not one character");
    const code = character.codePointAt(0) ?? 0;
    return code < SURROGATES_FROM ? code : code - SURROGATES;
  },
);
const anyText = fc.string({ unit: anyCharacter });
const TRICKY = [
  { id: "s1", args: { text: 'a "quoted" } ] \\ brace {', list: [[], {}, [1.5e-7, -1, true, null]] } },
  {
    id: "s2",
    description: "\u{1F600} \u2028 é \\u0041 \n\t",
    args: { nested: { steps: [{ id: "no" }], deep: [[[[{}]]]] } },
  },
  { id: "s3", args: {} },
];

describe("a draft", () => {
  it("gives its reasoning, its steps in order and the step that answers", () => {
    const { reasoning, steps, end } = parse([draft(TRICKY, { answerFrom: "s3" })]);
    expect(reasoning).toEqual(["because"]);
    expect(steps).toEqual(TRICKY);
    expect(end).toEqual({ status: "complete", steps: 3, reasoning: "because", answerFrom: "s3" });
  });

  it("is the same wherever its text is cut", () => {
    const text = draft(TRICKY, { answerFrom: "s3" });
    const whole = parse([text]);
    expect(parse(text.split(""))).toEqual(whole);
    const values = fc.oneof(fc.jsonValue(), fc.record({ id: anyText, args: fc.jsonValue({ maxDepth: 5 }) }));
    fc.assert(
      fc.property(fc.array(values), fc.array(fc.nat({ max: 400 })), fc.boolean(), (steps, cuts, pretty) => {
        const json: unknown = JSON.parse(JSON.stringify({ reasoning: "r", steps, answerFrom: "a" }));
        const source = JSON.stringify(json, null, pretty ? 2 : 0);
        const places = [0, ...cuts.filter((cut) => cut < source.length), source.length].toSorted(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((place, index) => source.slice(places[index], place));
        const result = parse(pieces);
        expect(result.end.status).toBe("complete");
        expect({ reasoning: "r", steps: result.steps, answerFrom: "a" }).toEqual(json);
      }),
    );
  });

  it("reports each step at exactly the character that closes it", () => {
    const text = draft(TRICKY);
    const steps: Json[] = [];
    const parser = createDraftParser({ onStep: (step) => steps.push(step) });
    const closings = TRICKY.map((step) => text.indexOf(JSON.stringify(step)) + JSON.stringify(step).length);
    for (const [index, char] of text.split("").entries()) {
      parser.push(char);
      expect(steps).toHaveLength(closings.filter((closing) => closing <= index + 1).length);
    }
  });

  it("can come between prose, in a code fence, after thinking and after other objects", () => {
    const think = '<think>maybe {"steps": [{"id": "wrong"}]} or {"reasoning": </think>';
    const before = `Sure {name}! { "a": 1 } {{x}} {"b" 2} {1} Here it is:\n\`\`\`json\n`;
    const { steps, end } = parse([`${think}${before}${draft(TRICKY)}\n\`\`\`\nAnything else? {"steps": []}`]);
    expect(steps).toEqual(TRICKY);
    expect(end.status).toBe("complete");
  });

  it("can have its fields in any order, extra fields, and a trailing comma", () => {
    const { end } = parse([
      '{"answerFrom": 2, "note": {"steps": 1}, "steps": [{"id": "a"},], "reasoning": 5,}',
    ]);
    expect(end).toEqual({ status: "complete", steps: 1, reasoning: undefined, answerFrom: "2" });
  });

  it.each([["null"], ['""'], ["{}"]])("names no answering step when answerFrom is %s", (answerFrom) => {
    expect(parse([`{"steps": [], "answerFrom": ${answerFrom}}`]).end).toMatchObject({
      status: "complete",
      answerFrom: undefined,
    });
  });
});

describe("a draft that cannot be parsed to its end", () => {
  it("is truncated wherever the text stops, with its complete steps", () => {
    const text = draft(TRICKY);
    const closings = TRICKY.map((step) => text.indexOf(JSON.stringify(step)) + JSON.stringify(step).length);
    for (let length = '{"reasoning"'.length; length < text.length; length++) {
      const { steps, end } = parse([text.slice(0, length)]);
      expect(end.status).toBe("truncated");
      expect(steps).toHaveLength(closings.filter((closing) => closing <= length).length);
    }
    expect(parse(['{"steps": [{"id": "s1"}, {"id"']).end).toMatchObject({
      message: "the reply ends inside step 2",
    });
    expect(parse(['{"steps": [{"id": "s1"}']).end).toMatchObject({
      message: "the reply ends inside the list of steps",
    });
    expect(parse(['{"reasoning": "x', "y"]).end).toMatchObject({
      message: "the reply ends inside the draft",
    });
  });

  it.each([
    [
      "a step that is no JSON",
      '{"steps": [{"id": "a"}, {"id": oops}, {"id": "c"}]}',
      1,
      "wanted JSON in step 2",
    ],
    [
      "brackets that do not match",
      '{"steps": [{"id": "a"}, {"id": [}}, {"id": "c"}]}',
      1,
      "wanted JSON in step 2",
    ],
    [
      "two steps without a comma",
      '{"steps": [{"id": "a"} {"id": "b"}]}',
      1,
      "wanted a comma or the end of the steps",
    ],
    ["a comma too many", '{"steps": [{"id": "a"},, {"id": "b"}]}', 1, "wanted a step"],
    ["steps that are no list", '{"steps": {"id": "a"}}', 0, "wanted a list of steps"],
    ["two lists of steps", '{"steps": [{"id": "a"}], "steps": [{"id": "b"}]}', 1, "wanted one list of steps"],
    ["no steps", '{"reasoning": "none"}', 0, 'wanted an object with "steps"'],
    ["no colon", '{"reasoning" "none"}', 0, "wanted a colon"],
    ["no comma", '{"reasoning": "none" "steps": []}', 0, "wanted a comma or a closing brace"],
    ["no value", '{"reasoning": , "steps": []}', 0, "wanted a value"],
    ["no key", '{"steps": [], 5}', 0, "wanted a key"],
    ["a bad literal", '{"reasoning": nope, "steps": []}', 0, "wanted JSON in the draft"],
  ])("is malformed with %s", (_name, text, steps, message) => {
    for (const pieces of [[text], text.split("")]) {
      const { end } = parse(pieces);
      expect(end).toMatchObject({ status: "malformed", steps });
      expect(end).toHaveProperty("message", expect.stringContaining(message));
    }
  });

  it.each([
    ["", '""'],
    ["1. Do this\n2. Do that", '"1. Do this\\n2. Do that"'],
    ['{"answer": 42} and {"a" ', "{"],
    ["[1, 2]", "[1"],
    ['[{"price": 1}, {"price": 2}]', "[{"],
    ['{"answer" 42}', "{"],
  ])("is absent from %j", (text, shown) => {
    const { end } = parse([text]);
    expect(end).toMatchObject({ status: "absent", steps: 0 });
    expect(end).toHaveProperty("message", expect.stringContaining(shown.slice(0, 10)));
  });

  it("is abandoned when it exceeds its size limit", () => {
    const { end, steps } = parse(['{"steps": [{"id": "a"},', " ".repeat(50), '{"id": "b"}]}'], {
      charsMax: 60,
    });
    expect(steps).toEqual([{ id: "a" }]);
    expect(end).toMatchObject({ status: "too_large", steps: 1 });
  });

  it("never throws, whatever the text", () => {
    const fragments = fc.constantFrom(
      '{"steps":[',
      '{"id":"a"}',
      "]",
      "}",
      ",",
      '"',
      "\\",
      "{",
      "[",
      '"reasoning":',
      ":",
      "<think>",
      "</think>",
      "1",
      " ",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragments, anyText)), (pieces) => {
        const { end, steps } = parse(pieces);
        expect(end.steps).toBe(steps.length);
        expect(parse([pieces.join("")]).steps).toEqual(steps);
      }),
    );
  });
});
