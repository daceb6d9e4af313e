/** A simple search over the bundled documents, for tests: sections with most words in common, in the format of `docs.search`. */
import { readdirSync, readFileSync } from "node:fs";
import { overlap } from "../rules/text/words.ts";

const FOLDER = new URL("../../../../examples/docs/", import.meta.url);

export function searchDocuments({ query }: Record<string, unknown>): { hits: object[] } {
  const sections = readdirSync(FOLDER).flatMap((path) => {
    const [head = "", ...rest] = readFileSync(new URL(path, FOLDER), "utf8").split(/^## /m);
    const title = head.split("\n")[0]?.replace("# ", "") ?? "";
    const intro = { path, title, snippet: head.split("\n").slice(1).join("\n").trim() };
    return [
      intro,
      ...rest.map((text) => ({
        path,
        title: `${title} › ${text.split("\n")[0]}`,
        snippet: text.split("\n").slice(1).join("\n").trim(),
      })),
    ];
  });
  const scored = sections.map((section) => ({
    ...section,
    score: overlap(String(query), `${section.title} ${section.snippet}`),
  }));
  return {
    hits: scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 20),
  };
}
