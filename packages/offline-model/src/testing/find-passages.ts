/** A simple search over documents that a test provides: all sections, those with most words in common with the query first. */
import { overlap } from "../rules/text/words.ts";

/** @param documents - Texts by file name; `# ` begins the title, `## ` a section. */
export function findPassages(documents: Readonly<Record<string, string>>) {
  const sections = Object.entries(documents).flatMap(([path, text]) => {
    const [head = "", ...rest] = text.split(/^## /m);
    const title = head.split("\n")[0]?.replace("# ", "") ?? "";
    return [head.replace(/^# .*\n/, `\n`), ...rest].map((section, index) => {
      const [heading = "", ...lines] = section.split("\n");
      return { path, title: index === 0 ? title : `${title} › ${heading}`, snippet: lines.join("\n").trim() };
    });
  });
  return ({ query }: Record<string, unknown>): { hits: object[] } => ({
    hits: sections
      .map((section) => ({
        ...section,
        score: overlap(String(query), `${section.title} ${section.snippet}`),
      }))
      .filter(({ snippet }) => snippet !== "")
      .toSorted((one, other) => other.score - one.score)
      .slice(0, 20),
  });
}
