import { expect, it } from "vitest";
import { splitGoal } from "./split-goal.ts";

it.each([
  [
    "Which region grew fastest in Q4 and what were its top products?",
    ["Which region grew fastest in Q4", "what were its top products?"],
  ],
  [
    "Research A, compare their pricing, and create a report.",
    ["Research A", "compare their pricing", "create a report"],
  ],
  ["Compare A, B and C", ["Compare A, B and C"]],
  ["highest and lowest revenue", ["highest and lowest revenue"]],
  [
    "What is 3.5 * 2? Read https://a.example/x.y and save it to a.b.md.",
    ["What is 3.5 * 2?", "Read https://a.example/x.y", "save it to a.b.md"],
  ],
  ['Find "this and show that" now', ['Find "this and show that" now']],
  ["  ...  ", []],
  ["When did Ada visit us, and for what reason?", ["When did Ada visit us, and for what reason?"]],
  ["Who paid and how much?", ["Who paid and how much?"]],
  ["Who paid, and what is the price?", ["Who paid", "what is the price?"]],
  ["one\ntwo; three", ["one", "two", "three"]],
])("cuts %j into its clauses", (goal, clauses) => {
  expect(splitGoal(goal)).toEqual(clauses);
});
