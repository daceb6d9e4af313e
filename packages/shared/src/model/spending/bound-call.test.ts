import { expect, it } from "vitest";
import { promptTokens } from "./bound-call.ts";

/** The larger count of the tokenizers o200k_base and cl100k_base. */
it.each([
  ["Planwright turns a goal into a plan, runs the steps in parallel and judges the results.", 19],
  ['{"id":"s1","tool":"docs.search","args":{"query":"annual report 2024","limit":5},"dependsOn":[]}', 29],
  ["export function add(left: number, right: number): number { return left + right; }", 19],
  ["Der Planer verwandelt ein Ziel in einen Plan und bewertet die Ergebnisse.", 19],
  ["规划器把目标变成计划，并行运行各个步骤。", 25],
  ["Планировщик превращает цель в план.", 17],
])(
  "counts at least as many tokens as tokenizers do, and at most three times as many: %s",
  (text, counted) => {
    expect(promptTokens(text)).toBeGreaterThanOrEqual(counted);
    expect(promptTokens(text)).toBeLessThanOrEqual(3 * counted);
  },
);

it("counts far fewer tokens than bytes", () => {
  const text =
    "Each step names its tool and its arguments, and waits for the steps that it refers to. ".repeat(100);
  expect(promptTokens(text)).toBeLessThan(Buffer.byteLength(text) / 2.5);
  expect(promptTokens("")).toBe(0);
});
