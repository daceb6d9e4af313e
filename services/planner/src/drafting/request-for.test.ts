import { ToolSpec } from "@planwright/plan";
import { expect, it } from "vitest";
import { chooseStrategy } from "./request-for.ts";

const named = (...names: string[]) =>
  new Map(
    names.map((name) => [
      name,
      ToolSpec.parse({ name, description: name, input: {}, output: {}, timeoutMs: 1 }),
    ]),
  );
const all = named("model.write", "docs.search");
const choose = (asked: "auto" | "direct" | "sequential" | "parallel", rest: object = {}) =>
  chooseStrategy({ asked, goal: "compare the prices", tools: all, revision: 0, ...rest }).strategy;

it("follows the submission", () => {
  for (const asked of ["direct", "sequential", "parallel"] as const) expect(choose(asked)).toBe(asked);
});

it("routes a goal that leaves the strategy open", () => {
  expect(choose("auto")).toBe("parallel");
  expect(choose("auto", { goal: "Hello!" })).toBe("direct");
});

it("plans more than one call where planSize requires more steps", () => {
  expect(choose("auto", { goal: "Hello!", planSize: { min: 2 } })).toBe("parallel");
  expect(choose("auto", { goal: "Hello!", planSize: { max: 4 } })).toBe("direct");
  expect(choose("direct", { planSize: { min: 2 } })).toBe("direct");
});

it("plans again when a goal that was routed to one call comes back", () => {
  expect(choose("auto", { goal: "Hello!", revision: 1 })).toBe("parallel");
  expect(choose("direct", { revision: 1 })).toBe("direct");
});

it("drafts a plan where the single call cannot be made", () => {
  const choice = chooseStrategy({ asked: "direct", goal: "x", tools: named("docs.search"), revision: 0 });
  expect(choice).toEqual({
    strategy: "parallel",
    reason: "one call would need model.write, which this plan cannot use",
  });
});
