import fc from "fast-check";
import { expect, it } from "vitest";
import { splitSections } from "./split-sections.ts";

it("splits at headings and titles each section with the headings above it", () => {
  const text = "before\n# One\nfirst\n### Deep\nsecond\n## Two ##\n\n# Three\nthird\r\n";
  expect(splitSections(text, "file.md")).toEqual([
    { title: "file.md", body: "before" },
    { title: "One", body: "first" },
    { title: "One › Deep", body: "second" },
    { title: "Three", body: "third" },
  ]);
});

it("finds no headings in code and no text in front matter", () => {
  const text = "---\ntitle: x\n---\n# One\n```sh\n# not a heading\n~~~\n# nor this\n```\nafter\n";
  expect(splitSections(text, "f")).toEqual([
    { title: "One", body: "```sh\n# not a heading\n~~~\n# nor this\n```\nafter" },
  ]);
});

it("keeps every word once and in order, and every section within bounds", () => {
  const gap = fc.constantFrom(" ", "\n", "\n\n", "\n# heading\n", "\n### sub\n", ` ${"x".repeat(3_000)} `);
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 60 }), (gaps) => {
      const words = gaps.map((_, index) => `word${index};`);
      const sections = splitSections(words.map((word, index) => word + gaps[index]).join(""), "f");
      const kept = sections.flatMap(({ body }) => body.match(/word\d+;/g) ?? []);
      expect(kept).toEqual(words);
      for (const { body } of sections) expect(body.length).toBeLessThanOrEqual(2_000);
    }),
  );
});
