import { expect, it } from "vitest";
import { showTable } from "./eval/show-table.ts";
import type { Measured } from "./eval/measure-plan.ts";

const one: Measured = {
  example: "dag",
  verdict: "success",
  succeeded: true,
  expected: "succeeded",
  asExpected: true,
  validFirstDraft: null,
  steps: 5,
  replans: 0,
  calls: 0,
  tokens: 0,
  seconds: 0.75,
};

it("shows a line for each example and a total, the valid drafts, and the plans that did not end as expected", () => {
  const other = {
    ...one,
    example: "lats",
    validFirstDraft: false,
    succeeded: false,
    asExpected: false,
    verdict: "failed",
    calls: 9,
  };
  const partial: Measured = {
    ...one,
    example: "retry",
    verdict: "partial",
    succeeded: false,
    expected: "partial",
  };
  expect(showTable([one, other, { ...other, validFirstDraft: true }, partial]).split("\n")).toEqual([
    "example  valid draft  steps  replans  calls  tokens  seconds  verdict",
    "dag      -            5      0        0      0       0.75     success",
    "lats     no           5      0        9      0       0.75     failed, expected: succeeded",
    "lats     yes          5      0        9      0       0.75     failed, expected: succeeded",
    "retry    -            5      0        0      0       0.75     partial, as expected",
    "all      1/2          20     0        18     0       3.00     2/4 as expected",
  ]);
});
