import { Step, ToolSpec } from "@planwright/plan";
import { expect, it } from "vitest";
import { type ApprovalPolicy, gatesOf } from "./preview-card.tsx";

const tool = (name: string, risk: string) =>
  ToolSpec.parse({ name, description: name, input: {}, output: {}, risk, effect: "read", timeoutMs: 1 });
const tools = new Map(
  [tool("a.low", "low"), tool("a.medium", "medium"), tool("a.high", "high")].map((one) => [one.name, one]),
);
const steps = ["a.low", "a.medium", "a.high", "a.unknown"].map((name, index) =>
  Step.parse({ id: `s${index}`, tool: name }),
);

const POLICIES: readonly (readonly [ApprovalPolicy, readonly string[]])[] = [
  [{}, ["s2", "s3"]],
  [{ risk: "medium" }, ["s1", "s2", "s3"]],
  [{ risk: "low" }, ["s0", "s1", "s2", "s3"]],
  [{ risk: "never" }, []],
];

it.each(POLICIES)("requires approval, with the policy %j, for %j", (approval, waiting) => {
  expect(gatesOf(steps, { tools, approval })).toEqual(waiting);
});
