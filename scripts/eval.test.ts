import { expect, it } from "vitest";
import type { Measured } from "./eval/measure-plan.ts";
import { showTable } from "./eval/show-table.ts";

const one: Measured = {
  example: "dag",
  verdict: "success",
  succeeded: true,
  validFirstDraft: null,
  steps: 5,
  replans: 0,
  calls: 0,
  tokens: 0,
  seconds: 0.75,
};

it("shows a line for each example and one for all, and says which drafts were valid at once", () => {
  const other = {
    ...one,
    example: "lats",
    validFirstDraft: false,
    succeeded: false,
    verdict: "failed",
    calls: 9,
  };
  expect(showTable([one, other, { ...other, validFirstDraft: true }]).split("\n")).toEqual([
    "example  valid draft  steps  replans  calls  tokens  seconds  verdict",
    "dag      -            5      0        0      0       0.75     success",
    "lats     no           5      0        9      0       0.75     failed",
    "lats     yes          5      0        9      0       0.75     failed",
    "all      1/2          15     0        18     0       2.25     1/3 succeeded",
  ]);
});
