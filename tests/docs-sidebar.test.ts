// The sidebar of the docs site, which is read from docs/README.md, has every page of docs/ once.
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSidebar } from "../packages/docs-site/src/sidebar.ts";

const parts = readSidebar(readFileSync("docs/README.md", "utf8"));
const entries = parts.flatMap(({ groups }) => groups.flatMap((group) => group.entries));

describe("the sidebar of the docs", () => {
  it("has four parts", () => {
    expect(parts.map(({ title }) => title)).toEqual(["Get started", "Concepts", "Guides", "Reference"]);
  });

  it("has every page in exactly one place, except decisions and the index itself", () => {
    const pages = globSync("docs/**/*.md", { exclude: ["docs/decisions/**"] })
      .map((file) => file.replace(/^docs\//, ""))
      .filter((file) => file !== "README.md");
    expect(entries.map(({ page }) => page).toSorted()).toEqual(pages.toSorted());
  });

  it("has only entries whose page exists, each with a unique text", () => {
    expect(entries.filter(({ page }) => !existsSync(`docs/${page}`))).toEqual([]);
    const texts = entries.map(({ text }) => text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it("has the generated pages under Reference, and no other", () => {
    const reference = parts
      .find(({ title }) => title === "Reference")
      ?.groups.flatMap((group) => group.entries);
    const generated = entries.filter(({ page }) => page.startsWith("reference/"));
    expect(reference).toEqual(generated);
  });
});
