import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { criticalPath } from "./critical-path.ts";
import { dependenciesOf } from "../language/dependencies.ts";
import { Step } from "../language/plan-language.ts";

const step = (id: string, dependsOn: string[] = [], args: object = {}) =>
  Step.parse({ id, tool: "flow.wait", dependsOn, args });

describe("the critical path", () => {
  it("is empty without steps", () => {
    expect(criticalPath([], () => 1)).toEqual({ stepIds: [], durationMs: 0 });
  });

  it("goes through the slowest of parallel steps, by references too", () => {
    const steps = [
      step("a"),
      step("b"),
      step("join", ["a"], { value: { $ref: "b.output" } }),
      step("end", ["join"]),
    ];
    const durations: Record<string, number> = { a: 10, b: 30, join: 5, end: 1 };
    expect(criticalPath(steps, ({ id }) => durations[id] ?? 0)).toEqual({
      stepIds: ["b", "join", "end"],
      durationMs: 36,
    });
  });

  it("accepts steps in any order, and treats unknown dependencies as finished", () => {
    expect(criticalPath([step("b", ["a"]), step("a", ["elsewhere"])], () => 2)).toEqual({
      stepIds: ["a", "b"],
      durationMs: 4,
    });
  });

  it("is the first of equally long ones in the plan", () => {
    expect(criticalPath([step("a"), step("b")], () => 1).stepIds).toEqual(["a"]);
  });

  it("leaves out steps that can never run", () => {
    expect(criticalPath([step("a", ["b"]), step("b", ["a"]), step("c", ["a"])], () => 9)).toEqual({
      stepIds: [],
      durationMs: 0,
    });
  });

  it("is the whole chain for a chain of 10,000 steps", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) =>
      step(`s${index}`, index === 0 ? [] : [`s${index - 1}`]),
    );
    expect(criticalPath(steps.toReversed(), () => 1)).toMatchObject({ durationMs: 10_000 });
  });

  it("is as long as the longest of all paths, and is a path", () => {
    const plans = fc
      .integer({ min: 1, max: 8 })
      .chain((size) =>
        fc.tuple(
          ...Array.from({ length: size }, (_, index) =>
            fc.record({ needs: fc.subarray([...Array(index).keys()]), ms: fc.nat({ max: 9 }) }),
          ),
        ),
      );
    fc.assert(
      fc.property(plans, (plan) => {
        const steps = plan.map(({ needs }, index) =>
          step(
            `s${index}`,
            needs.map((other) => `s${other}`),
          ),
        );
        const ms = new Map(plan.map(({ ms }, index) => [`s${index}`, ms]));
        const longestTo = (id: string): number =>
          (ms.get(id) ?? 0) +
          Math.max(0, ...(steps.find((other) => other.id === id)?.dependsOn ?? []).map(longestTo));
        const { stepIds, durationMs } = criticalPath(steps, ({ id }) => ms.get(id) ?? 0);
        expect(durationMs).toBe(Math.max(...steps.map(({ id }) => longestTo(id))));
        expect(stepIds.reduce((sum, id) => sum + (ms.get(id) ?? 0), 0)).toBe(durationMs);
        for (const [index, id] of stepIds.slice(1).entries()) {
          const own = steps.find((other) => other.id === id);
          expect(own && dependenciesOf(own)).toContain(stepIds[index]);
        }
      }),
    );
  });
});

describe("the critical path of a plan with fallbacks and verifications", () => {
  const tied = (id: string, more: object) => Step.parse({ id, tool: "flow.wait", ...more });
  const steps = [
    tied("a", { fallback: "b" }),
    tied("check", { verifies: "a" }),
    tied("b", {}),
    tied("end", { dependsOn: ["a"] }),
  ];
  const pathOf = (durations: Record<string, number>) => criticalPath(steps, ({ id }) => durations[id] ?? 0);

  it("leads through a step's verification", () => {
    expect(pathOf({ a: 5, check: 3, end: 1 })).toEqual({ stepIds: ["a", "check", "end"], durationMs: 9 });
  });

  it("leads through the fallback if that ran", () => {
    expect(pathOf({ a: 5, check: 3, b: 4, end: 1 })).toEqual({
      stepIds: ["a", "check", "b", "end"],
      durationMs: 13,
    });
  });
});
