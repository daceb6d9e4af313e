import { expect, it } from "vitest";
import { ToolSpec } from "../tool-spec.ts";
import { checkPlan } from "./check-plan.ts";

const echo = ToolSpec.parse({
  name: "flow.echo",
  description: "echo",
  input: { type: "object", properties: { value: {} }, required: ["value"], additionalProperties: false },
  output: {},
  timeoutMs: 1_000,
});
const tools = new Map([[echo.name, echo]]);

function issuesWith(when: string) {
  const args = { value: 1 };
  const steps = [
    { id: "first", tool: "flow.echo", args },
    { id: "second", tool: "flow.echo", args, when },
  ];
  return checkPlan({ steps }, { tools }).issues;
}

it.each(["first.output", "{{first.output.count}} > 3", 'not (first.output.name == "x") and first.output'])(
  "takes %s",
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
