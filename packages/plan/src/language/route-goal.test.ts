import { describe, expect, it } from "vitest";
import { routeGoal } from "./route-goal.ts";
import { ToolSpec } from "./tool-spec.ts";

const toolsNamed = (...names: string[]) =>
  new Map(
    names.map((name) => [
      name,
      ToolSpec.parse({ name, description: name, input: {}, output: {}, timeoutMs: 1 }),
    ]),
  );
const tools = toolsNamed("model.write", "docs.search", "sql.query");

describe("the route of a goal", () => {
  it.each([
    "Solve this puzzle: make 24 out of 4, 9, 10 and 13",
    "Try different approaches until the numbers add up",
    "Explore several routes through the maze",
  ])("is a search for %j", (goal) => {
    expect(routeGoal(goal, tools)).toEqual({
      strategy: "tree-search",
      reason: "the goal has many ways that have to be tried out",
    });
  });

  it.each([
    "Hello!",
    "hi there",
    "Good morning, everyone!",
    "thanks a lot",
    "Rewrite this more politely: give me the sales report now",
    'Please translate "Where is the price list?" to French',
    "Could you proofread 'the cat sat on teh mat'",
    "Define recursion.",
    "What does idempotent mean?",
    "What is the meaning of life?",
  ])("is one call for %j", (goal) => {
    expect(routeGoal(goal, tools).strategy).toBe("direct");
  });

  it.each([
    "Which region grew fastest in Q4 and what were its top products?",
    "Hello, find me the cheapest supplier",
    "Translate the latest report to German",
    "Rewrite https://example.com/page in plain words",
    "Define churn and compute it for our customers",
    "What does our pricing page mean for product A?",
    "Summarize the competitors",
    "Rewrite the introduction",
    "Analyse the market for puzzles and board games",
    'Translate "hello" and send it to Anna',
    "Write a poem",
    "Hi-fi amplifiers under $100",
    `Rewrite this: ${"x".repeat(2_000)}`,
  ])("is a plan for %.60j", (goal) => {
    expect(routeGoal(goal, tools)).toEqual({
      strategy: "parallel",
      reason: "the goal may need tools, so it is planned and its steps run in parallel",
    });
  });

  it("is one call for any goal when no tools are available", () => {
    const route = routeGoal("Which region grew fastest?", toolsNamed("model.write"));
    expect(route).toEqual({
      strategy: "direct",
      reason: "no tool but model.write is available, so one call does what a plan could",
    });
  });
});
