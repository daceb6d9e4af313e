import { expect, it } from "vitest";
import { countSaid, missingOf, NO_OPTIONS, readPlan, requestOf } from "./request-of.ts";

it("contains only the fields that were filled in", () => {
  expect(requestOf("g", "auto", NO_OPTIONS)).toEqual({ goal: "g", strategy: "auto" });
  expect(countSaid(NO_OPTIONS)).toBe(0);
});

it("contains all fields that were filled in", () => {
  const options = {
    approvePlan: true,
    risk: "low",
    usd: "0.5",
    tokens: " 1000 ",
    seconds: "",
    stepsMin: "2",
    stepsMax: "12",
    requireSources: true,
    priority: "low",
    constraints: "in German\n\n  be brief ",
    data: ["sales"],
    tools: ["sql.query"],
    text: { name: "report.txt", text: "A long text" },
    plan: '{"steps": []}',
  } as const;
  expect(requestOf("g", "sequential", options)).toEqual({
    goal: "g",
    strategy: "sequential",
    constraints: ["in German", "be brief"],
    tools: ["sql.query"],
    input: { text: "A long text" },
    data: ["sales"],
    approval: { plan: true, risk: "low" },
    budget: { usd: 0.5, tokens: 1000 },
    planSize: { min: 2, max: 12 },
    requireSources: true,
    priority: "low",
    plan: { steps: [] },
  });
  expect(countSaid(options)).toBe(12);
});

it("requires data for a program until some is chosen, or a plan is given", () => {
  const data = ["sales"];
  expect(missingOf(requestOf("g", "code", NO_OPTIONS))).toContain("needs a data source");
  expect(missingOf(requestOf("g", "code", { ...NO_OPTIONS, data }))).toBeUndefined();
  expect(missingOf(requestOf("g", "code", { ...NO_OPTIONS, plan: '{"steps": []}' }))).toBeUndefined();
  expect(missingOf(requestOf("g", "auto", NO_OPTIONS))).toBeUndefined();
});

it.each([
  ["", { kind: "none" }],
  ['{"steps": []}', { kind: "plan", plan: { steps: [] } }],
  ["[]", { kind: "invalid", reason: 'Enter a JSON object such as {"steps": [...]}' }],
  ["{steps}", { kind: "invalid" }],
])("reads a plan from %j", (text, wanted) => {
  expect(readPlan(text)).toMatchObject(wanted);
});
