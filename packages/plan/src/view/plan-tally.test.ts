import fc from "fast-check";
import type { ToolTally } from "../events/plan-tally.ts";
import { describe, expect, it } from "vitest";
import {
  after,
  failed,
  faltered,
  READ,
  step,
  submittedPlan,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { tallyOf } from "./plan-figures.ts";
import { addToolTallies } from "../values/add-tallies.ts";

const lasting = (durationMs: number) => ({ durationMs });
const tally = (tool: string, more: Partial<ToolTally> = {}): ToolTally => ({
  tool,
  steps: 1,
  failed: 0,
  retries: 0,
  durationMs: 10,
  longestMs: 10,
  ...more,
});

describe("the tally of a plan by tool", () => {
  it("counts the steps that ended, their failures and retries, and the time of their last attempts", () => {
    const plan = after(
      submittedPlan({
        steps: [
          step("a", [], { tool: "flow.echo" }),
          step("b", [], { tool: "flow.echo" }),
          step("c", [], { tool: "model.write" }),
          step("d", ["a"], { tool: "model.write" }),
        ],
      }),
      succeeded("a", 1, 1, lasting(30)),
      faltered("b"),
      timerFired("retry-b-0-2"),
      succeeded("b", 1, 2, lasting(70)),
      failed("c"),
    );
    expect(tallyOf(plan).tools).toEqual([
      { tool: "flow.echo", steps: 2, failed: 0, retries: 1, durationMs: 100, longestMs: 70 },
      expect.objectContaining({ tool: "model.write", steps: 1, failed: 1, retries: 0 }),
    ]);
  });

  it("leaves out tools that only wait, and is absent when no step called a tool", () => {
    const plan = after(
      submittedPlan({ steps: [step("w", [], { tool: "flow.wait" })] }, { grants: { "flow.wait": READ } }),
      succeeded("w", 1, 1, lasting(60_000)),
    );
    expect(tallyOf(plan).steps).toBe(1);
    expect(tallyOf(plan)).not.toHaveProperty("tools");
  });
});

describe("tallies by tool", () => {
  const some = fc.uniqueArray(
    fc.record({
      tool: fc.constantFrom("a", "b", "c", "d"),
      steps: fc.nat(9),
      failed: fc.nat(9),
      retries: fc.nat(9),
      durationMs: fc.nat(900),
      longestMs: fc.nat(900),
    }),
    { selector: ({ tool }) => tool },
  );

  it("add up to the same in any order of sub-plans", () => {
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        expect(addToolTallies(a, b)).toEqual(addToolTallies(b, a));
        const left = addToolTallies(addToolTallies(a, b).tools, c);
        expect(left).toEqual(addToolTallies(a, addToolTallies(b, c).tools));
        const steps = (all: readonly ToolTally[] = []) => all.reduce((sum, one) => sum + one.steps, 0);
        expect(steps(left.tools)).toBe(steps(a) + steps(b) + steps(c));
      }),
    );
  });

  it("keep the 50 tools with the most steps, by name", () => {
    const many = Array.from({ length: 60 }, (_, index) => tally(`tool-${index + 10}`, { steps: index + 1 }));
    const { tools = [] } = addToolTallies(many);
    expect(tools.map(({ tool }) => tool)).toEqual(many.slice(10).map(({ tool }) => tool));
  });
});
