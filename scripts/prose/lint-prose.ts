/** The prose of the documents, checked by textlint against our terms. */
import { globSync, readFileSync } from "node:fs";
import { TextlintKernel } from "@textlint/kernel";
import { MarkdownProcessor } from "@textlint/textlint-plugin-markdown/lib/src/MarkdownProcessor.js";
import terminology from "textlint-rule-terminology";
import { TERMS } from "./terms.ts";

/** The documents written by hand. */
export function proseFiles(): string[] {
  return globSync(
    ["*.md", "docs/**/*.md", "examples/**/README.md", "{benchmarks,tools}/*.md", "packages/*/README.md"],
    // The page of events shows the types of fields, whose names stay.
    { exclude: ["**/node_modules/**", "docs/reference/events.md"] },
  ).toSorted();
}

export type ProseAlert = {
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

/** @returns Every banned phrase of a Markdown text, outside code. */
export async function proseAlerts(file: string, text: string): Promise<ProseAlert[]> {
  const { messages } = await new TextlintKernel().lintText(text, {
    filePath: file,
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: { Processor: MarkdownProcessor } }],
    rules: [{ ruleId: "terminology", rule: terminology, options: { defaultTerms: false, terms: TERMS } }],
  });
  return messages.map(({ loc, message }) => ({ file, ...loc.start, message }));
}

/** Prints the alerts of files, like a linter. @returns 1 when there are any, else 0. */
export async function lintProse(files: readonly string[]): Promise<number> {
  const alerts = (
    await Promise.all(files.map((file) => proseAlerts(file, readFileSync(file, "utf8"))))
  ).flat();
  for (const { file, line, column, message } of alerts) console.log(`${file}:${line}:${column} ${message}`);
  console.log(`Prose: ${alerts.length} alerts in ${files.length} documents.`);
  return alerts.length === 0 ? 0 : 1;
}
