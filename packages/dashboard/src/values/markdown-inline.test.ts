import { expect, it } from "vitest";
import { Inline } from "./markdown.tsx";
import { parseMarkdown } from "./parse-markdown.ts";

const LONG = 100_000;

/** A quadratic algorithm would take minutes here. */
it.each([
  ["links that never end", "[".repeat(LONG)],
  ["targets that never end", "[a](".repeat(LONG / 4)],
  ["emphasis that never ends", "*a ".repeat(LONG / 3)],
])("parses %s in linear time", (_, text) => {
  const parts = Inline({ text });
  expect(Array.isArray(parts) && parts.length > 0).toBe(true);
});

it.each([
  ["spaces", `# a${" ".repeat(LONG)}b`, `a${" ".repeat(LONG)}b`],
  ["signs", `# ${"# ".repeat(LONG)}b`, `${"# ".repeat(LONG)}b`],
  ["signs that close it", `# a ${"#".repeat(LONG)}`, "a"],
])("parses a heading of many %s in linear time", (_, text, heading) => {
  expect(parseMarkdown(text)).toEqual([{ kind: "heading", level: 1, text: heading }]);
});
