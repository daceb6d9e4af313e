import { expect, it } from "vitest";
import { ECHO } from "../testing/echo-spec.ts";
import { echo } from "../testing/steps.ts";
import { checkPlan } from "./check-plan.ts";

const tools = new Map([[ECHO.name, ECHO]]);

function issuesWith(when: string) {
  return checkPlan({ steps: [echo("first"), echo("second", { when })] }, { tools }).issues;
}

it.each(["first.output", "{{first.output.count}} > 3", 'not (first.output.name == "x") and first.output'])(
  "accepts %s",
  (when) => {
    expect(issuesWith(when)).toEqual([]);
  },
);

it.each<[string, string, string | RegExp]>([
  ["first.output ==", "malformed_condition", /./],
  ["1 < 2", "malformed_condition", /refers to none/],
  ["second.output", "self_dependency", /the step's own/],
  ["firts.output > 1", "dangling_reference", /first/],
])("refuses %s as a %s", (when, code, said) => {
  expect(issuesWith(when)).toMatchObject([
    { code, stepId: "second", field: "when", message: expect.stringMatching(said) },
  ]);
});
