import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawDiagram } from "./diagrams.ts";

const MERMAID = /^```mermaid\n([\s\S]*?)^```/gm;
/** Of a node: `[…]`, `{…}` or `(…)`; of an edge: `|…|` or `-- … -->`. */
const LABEL = /\[[^\]]+\]|\{[^}]+\}|\([^)]+\)|\|[^|]+\||-- [^\n>]+ -->/g;
const drawings = globSync("docs/**/*.md").flatMap((file) =>
  Array.from(readFileSync(file, "utf8").matchAll(MERMAID), ([, source = ""], index) => ({
    name: `${file}, diagram ${index + 1}`,
    source,
  })),
);

describe.each(drawings)("$name", ({ source }) => {
  const drawing = drawDiagram(source);

  it("is drawn with all its labels", () => {
    const labels = [...source.matchAll(LABEL)].map(([label]) => label.replaceAll(/<br\s*\/?>/g, " "));
    const text = drawing
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
    const words = labels.flatMap((label) => label.match(/[a-z]{3,}/gi) ?? []);
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  });

  it("loads nothing and runs nothing", () => {
    expect(drawing).toMatch(/^<svg /);
    expect(drawing.replaceAll("http://www.w3.org/", "")).not.toMatch(/https?:|@import|<script|\son\w+=/);
  });
});
