/** The English in our sources: comments, test names and program texts, checked against phrases that are always wrong there. */
import { globSync, readFileSync } from "node:fs";
import type { ProseAlert } from "./lint-prose.ts";
import { CODE_TERMS } from "./terms.ts";

const SOURCES = [
  "{services,packages}/*/{src,test}/**/*.{ts,tsx}",
  "{tests,scripts,benchmarks,examples}/**/*.{ts,mjs}",
];
const OTHERS = [
  "**/node_modules/**",
  "**/dist/**",
  // The phrases themselves, and English as data.
  "scripts/prose/**",
  "scripts/lint-prose.test.ts",
];
/** Their strings are goals, documents and vocabulary in any English, or prompts, whose texts have versions. */
const ENGLISH_AS_DATA =
  /-(?:prompt|blocks)\.ts$|\.test\.tsx?$|\/offline-model\/src\/|\/(?:test|testing|fixtures)\/|^(?:tests|examples|benchmarks)\//;
const COMMENT = /^\s*(?:\/\/|\/?\*)|\s\/\/\s.*$/;
/** Also at the end of a table of cases, which begins lines before. */
const TEST_NAME =
  /(?:\b(?:it|describe)(?:\.each\(.*\))?|^\s*\](?: as const)?\))\(\s*(?:"(?<plain>(?:[^"\\]|\\.)*)"|`(?<template>[^`]*)`)/;
const STRING = /"((?:[^"\\]|\\.)*)"|`([^`]*)`/g;
const CODE_SPAN = /`[^`]*`/g;

/** The sources whose English is checked. */
export function codeFiles(): string[] {
  return globSync(SOURCES, { exclude: OTHERS }).toSorted();
}

/** @returns Every banned phrase in the comments, test names and texts of a source. */
export function codeAlerts(file: string, text: string): ProseAlert[] {
  return text.split("\n").flatMap((line, index) =>
    proseOf(file, line).flatMap((prose) =>
      CODE_TERMS.flatMap(([pattern, replacement]) => {
        const found = new RegExp(`\\b(?:${pattern})\\b`, "i").exec(prose);
        if (found === null) return [];
        const message = `Incorrect usage of the term: “${found[0]}”, use “${replacement}” instead`;
        return { file, line: index + 1, column: line.indexOf(found[0]) + 1, message };
      }),
    ),
  );
}

/** The English of a line: its comment without code, the name of a test, and program strings of several words. */
function proseOf(file: string, line: string): string[] {
  const [comment] = COMMENT.exec(line) ?? [];
  const isComment = comment !== undefined && !/^\s*\*?\s*\*\/$/.test(line);
  const { plain, template } = TEST_NAME.exec(line)?.groups ?? {};
  const name = plain ?? template;
  const strings =
    isComment || ENGLISH_AS_DATA.test(file)
      ? []
      : Array.from(line.matchAll(STRING), ([, double, back]) => double ?? back ?? "").filter((one) =>
          one.includes(" "),
        );
  const commented = isComment ? [line.slice(line.indexOf(comment)).replaceAll(CODE_SPAN, "code")] : [];
  return [...commented, ...(name === undefined ? [] : [name]), ...strings];
}

/** Prints the alerts of the sources, like a linter. @returns 1 when there are any, else 0. */
export function lintCode(files: readonly string[]): number {
  const alerts = files.flatMap((file) => codeAlerts(file, readFileSync(file, "utf8")));
  for (const { file, line, column, message } of alerts) console.log(`${file}:${line}:${column} ${message}`);
  console.log(`English in code: ${alerts.length} alerts in ${files.length} files.`);
  return alerts.length === 0 ? 0 : 1;
}
