// No prompt's words change without its version, and no prompt escapes this.
import { definePrompt } from "@planwright/shared/prompt";
import { glob, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import {
  faultsOfPrompts,
  hashOfTexts,
  readPromptRecord,
  withPrompts,
} from "../scripts/prompts/prompt-record.ts";
import { readPrompts } from "../scripts/prompts/read-prompts.ts";

const promptOf = (version: number, system: string) =>
  definePrompt({ name: "test.ask", version, texts: { system }, messages: () => [] });

it("refuses a changed text under a recorded version", () => {
  const record = withPrompts({}, [promptOf(1, "old")]);
  expect(faultsOfPrompts([promptOf(1, "old")], record)).toEqual([]);
  expect(faultsOfPrompts([promptOf(1, "new")], record)).toEqual([
    "test.ask has a different text than version 1: make it version 2",
  ]);
  expect(faultsOfPrompts([promptOf(2, "new")], record)).toEqual([]);
  expect(faultsOfPrompts([promptOf(1, "old"), promptOf(2, "new")], record)).toHaveLength(1);
});

it("keeps recorded versions", () => {
  const record = withPrompts({}, [promptOf(1, "old")]);
  expect(withPrompts(record, [promptOf(2, "new")])).toEqual({
    "test.ask@1": hashOfTexts(promptOf(1, "old")),
    "test.ask@2": hashOfTexts(promptOf(2, "new")),
  });
  expect(withPrompts(record, [promptOf(1, "new")])).toEqual(record);
});

it("has recorded every prompt with its current text", async () => {
  const [prompts, record] = [await readPrompts(), await readPromptRecord()];
  expect(prompts.map(({ name }) => name)).toContain("planner.plan");
  expect(faultsOfPrompts(prompts, record)).toEqual([]);
  expect(withPrompts(record, prompts), "npm run docs").toEqual(record);
});

it("finds every prompt that is defined", async () => {
  const defining: string[] = [];
  for await (const file of glob("{packages,services}/*/src/**/*.ts")) {
    if (file.endsWith(".test.ts") || file.endsWith("define-prompt.ts")) continue;
    if ((await readFile(file, "utf8")).includes("definePrompt(")) defining.push(file);
  }
  expect(new Set((await readPrompts()).map(({ file }) => file))).toEqual(new Set(defining));
});

it("states in every prompt that untrusted content is data and never an instruction", async () => {
  for (const { name, texts } of await readPrompts()) {
    const words = Object.values(texts).join("\n");
    expect(words, name).toMatch(/\bdata\b/i);
    expect(words, name).toMatch(/never (?:an instruction|follow)/i);
  }
});
