/**
 * The text of each version of a prompt: keeps a changed text from being mistaken for the old one in traces and evaluations.
 */
import type { PromptTexts } from "@planwright/shared/prompt";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";

/** The record's path, from the repository's root. */
export const PROMPT_RECORD = "docs/reference/prompt-versions.json";

const Recorded = z.record(z.string(), z.string());

/** The hash of a prompt's texts, by `name@version`. Entries are added and never changed. */
export type PromptRecord = Readonly<z.infer<typeof Recorded>>;

/** The stored record. */
export async function readPromptRecord(): Promise<PromptRecord> {
  return Recorded.parse(JSON.parse(await readFile(PROMPT_RECORD, "utf8")));
}

/** The hash of a prompt's fixed text. */
export function hashOfTexts({ texts }: Pick<PromptTexts, "texts">): string {
  const entries = Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("hex").slice(0, 16);
}

/** Errors in prompts, one sentence each: a changed text under an old version, and duplicate names. */
export function faultsOfPrompts(prompts: readonly PromptTexts[], record: PromptRecord): readonly string[] {
  const faults: string[] = [];
  const names = new Set<string>();
  for (const prompt of prompts) {
    const { name, version } = prompt;
    if (names.has(name)) faults.push(`two prompts are named ${name}`);
    names.add(name);
    const recorded = record[keyOf(prompt)];
    if (recorded !== undefined && recorded !== hashOfTexts(prompt)) {
      faults.push(`${name} has a different text than version ${version}: make it version ${version + 1}`);
    }
  }
  return faults;
}

/** The record with its missing entries added, in order. */
export function withPrompts(record: PromptRecord, prompts: readonly PromptTexts[]): PromptRecord {
  const added = prompts.map((prompt) => [keyOf(prompt), hashOfTexts(prompt)] as const);
  const entries = Object.entries({ ...Object.fromEntries(added), ...record });
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function keyOf({ name, version }: PromptTexts): string {
  return `${name}@${version}`;
}
