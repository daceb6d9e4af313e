import fc from "fast-check";
import { expect, it } from "vitest";
import { highlight } from "./highlight.ts";

const kinds = (source: string, language: string) =>
  highlight(source, language).map((line) =>
    line.flatMap(({ kind, text }) => (kind === "text" ? [] : [`${kind} ${text}`])),
  );

it("distinguishes comments, strings, numbers and keywords of JavaScript", () => {
  const source = 'const a = "if // 1"; // why 2\n/* one\ntwo */ row.return(12.5, `x\n3`)\nreturn true';
  expect(kinds(source, "javascript")).toEqual([
    ["keyword const", 'string "if // 1"', "comment // why 2"],
    ["comment /* one"],
    ["comment two */", "number 12.5", "string `x"],
    ["string 3`"],
    ["keyword return", "keyword true"],
  ]);
});

it("distinguishes those of Python", () => {
  expect(kinds('def f(x): # it\'s\n  return """a\n1""" + \'b\'', "python")).toEqual([
    ["keyword def", "comment # it's"],
    ["keyword return", 'string """a'],
    ['string 1"""', "string 'b'"],
  ]);
});

it("loses no text of any program", () => {
  const unit = fc.constantFrom("a", '"', "'", "`", "/", "*", "#", "\\", "\n", "1", " ", "if");
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 60 }),
      fc.constantFrom("python", "typescript"),
      (source, language) => {
        const lines = highlight(source, language).map((line) => line.map(({ text }) => text).join(""));
        expect(lines.join("\n")).toBe(source);
      },
    ),
    { numRuns: 300 },
  );
});
