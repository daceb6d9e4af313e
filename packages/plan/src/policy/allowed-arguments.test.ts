import { expect, it } from "vitest";
import type { Step } from "../language/plan-language.ts";
import { StepId } from "../values/ids.ts";
import { deniedTools } from "./allowed-arguments.ts";

const POLICY = { rules: [{ tools: ["mail.*"], deny: true }] };
const a = StepId.parse("a");

type Asked = Pick<Step, "tool" | "args" | "compensate">;
const plan = (...steps: Asked[]) => ({ steps: steps.map((step) => ({ id: a, ...step })) });

it.each<[string, Asked]>([
  ["a step", { tool: "mail.send", args: {} }],
  [
    "a compensation",
    { tool: "files.write", args: {}, compensate: { tool: "mail.send", args: {}, description: "" } },
  ],
  ["a loop", { tool: "agent.react", args: { tools: ["docs.search", "mail.send", 5] } }],
  ["a program", { tool: "code.run", args: { tools: ["mail.send"] } }],
  [
    "a sub-plan",
    { tool: "plan.run", args: { plan: { steps: [{ tool: "mail.send", args: {} }, "no step"] } } },
  ],
  [
    "a loop of a sub-plan",
    {
      tool: "plan.run",
      args: { plan: { steps: [{ tool: "agent.react", args: { tools: ["mail.send"] } }] } },
    },
  ],
])("a tool that the policy denies is found in %s", (_where, step) => {
  expect(deniedTools(POLICY, plan(step))).toEqual(["mail.send"]);
});

it.each<[string, Asked]>([
  ["a tool with another name", { tool: "docs.search", args: { tools: ["mail.send"] } }],
  ["a loop whose tools are no list", { tool: "agent.react", args: { tools: "mail.send" } }],
  ["a sub-plan that is still to be drafted", { tool: "plan.run", args: { goal: "send mail" } }],
  ["a sub-plan whose steps are no list", { tool: "plan.run", args: { plan: { steps: "mail.send" } } }],
])("nothing is found in %s", (_where, step) => {
  expect(deniedTools(POLICY, plan(step))).toEqual([]);
});

it("without a policy, no tool is denied", () => {
  expect(deniedTools(undefined, plan({ tool: "mail.send", args: {} }))).toEqual([]);
});
