/** Finds every prompt of the repository: the exports of the files `*-prompt.ts`. */
import type { PromptTexts } from "@planwright/shared/prompt";
import { glob } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

/** A prompt and its file, from the repository's root. */
export type FoundPrompt = PromptTexts & { readonly file: string };

const FILES = "{packages,services}/*/src/**/*-prompt.ts";

/** All prompts, by name and version. */
export async function readPrompts(): Promise<readonly FoundPrompt[]> {
  const found: FoundPrompt[] = [];
  for await (const file of glob(FILES)) {
    const exported = z.looseObject({}).parse(await import(pathToFileURL(path.resolve(file)).href));
    for (const value of Object.values(exported)) {
      if (isPrompt(value)) found.push({ ...value, file: file.split(path.sep).join("/") });
    }
  }
  return found.sort((left, right) => left.name.localeCompare(right.name));
}

function isPrompt(value: unknown): value is PromptTexts {
  return typeof value === "object" && value !== null && "texts" in value && "render" in value;
}
