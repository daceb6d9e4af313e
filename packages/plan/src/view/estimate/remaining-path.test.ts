import fc from "fast-check";
import { expect, it } from "vitest";
import {
  after,
  andAfter,
  failed,
  GRANTS,
  LIGHT,
  READ,
  step,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import type { KnownPlan } from "../../machine/plan-state.ts";
import type { StepId } from "../../values/ids.ts";
import { remainingPaths } from "./remaining-path.ts";
import { kindKey, type StepRuns } from "./estimate-run.ts";

const wait = (id: string, ms: number, needs: readonly string[] = [], more: object = {}) =>
  step(id, needs, { tool: "flow.wait", args: { ms }, ...more });
const planOf = (...steps: readonly object[]): KnownPlan =>
  after(
    submitted(steps, {
      grants: { ...GRANTS, "flow.wait": { ...READ, timeoutMs: 3_600_000 }, "flow.light": LIGHT },
    }),
  );
const msOf = (plan: KnownPlan, past?: ReadonlyMap<string, StepRuns>): Record<string, number> =>
  Object.fromEntries([...remainingPaths(plan, past)].map(([id, { ms }]) => [id, ms]));
const runsOf = (tool: string, durationMs: number): ReadonlyMap<string, StepRuns> =>
  new Map([
    [
      kindKey({ tool, agent: "", model: "" }),
      { runs: 5, durationMs, inputTokens: 0, outputTokens: 0, costUsd: 0 },
    ],
  ]);

it("is the step's time plus that of the longest chain after it", () => {
  const plan = planOf(wait("a", 10), wait("b", 20, ["a"]), wait("c", 5, ["a"]), wait("d", 1, ["b", "c"]));
  expect(msOf(plan)).toEqual({ a: 31, b: 21, c: 6, d: 1 });
  expect(remainingPaths(plan).get("a" as StepId)?.afterMs).toBe(21);
});

it("is the same for steps that have run, so that their retries are ranked too", () => {
  const plan = planOf(wait("a", 10), wait("b", 20, ["a"]));
  expect(msOf(andAfter(plan, succeeded("a")))).toEqual(msOf(plan));
});

it("assumes the mean of the other steps for a step without known runs", () => {
  expect(msOf(planOf(wait("a", 10), wait("b", 30), step("c")))).toEqual({ a: 10, b: 30, c: 20 });
});

it("assumes the same time for every step if none is known", () => {
  const {
    a = 0,
    b = 0,
    c = 0,
    d = 0,
  } = msOf(planOf(step("a"), step("b", ["a"]), step("c", ["b"]), step("d")));
  expect([a / d, b / d, c / d]).toEqual([3, 2, 1]);
});

it("uses earlier runs of the step's kind, and a few milliseconds for a light step", () => {
  const plan = planOf(step("a"), step("b", [], { tool: "flow.light" }), wait("c", 100));
  expect(msOf(plan, runsOf("flow.echo", 70))).toEqual({ a: 70, b: 5, c: 100 });
});

it("counts the rounds of a step with a long list", () => {
  const items = Array.from({ length: 120 }, (_, index) => index);
  expect(msOf(planOf(wait("a", 10, [], { forEach: items })))).toEqual({ a: 30 });
});

it("does not count a fallback before it is needed", () => {
  const plan = planOf(wait("a", 10, [], { fallback: "f" }), wait("f", 500), wait("b", 20, ["a"]));
  expect(msOf(plan)).toEqual({ a: 30, f: 20, b: 20 });
  expect(msOf(andAfter(plan, failed("a")))).toMatchObject({ f: 520 });
});

it("is longer than that of every dependent, and as long as one path", () => {
  const shape = fc.array(
    fc.record({
      ms: fc.integer({ min: 1, max: 1_000 }),
      parents: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(shape, (shapes) => {
      const needsOf = shapes.map(({ parents }, index) =>
        index === 0 ? [] : [...new Set(parents.map((parent) => parent % index))],
      );
      const steps = shapes.map(({ ms }, index) =>
        wait(
          `s${index}`,
          ms,
          (needsOf[index] ?? []).map((need) => `s${need}`),
        ),
      );
      const found = msOf(planOf(...steps));
      shapes.forEach(({ ms }, index) => {
        const dependents = [...needsOf.keys()].filter((other) => needsOf[other]?.includes(index));
        const longest = Math.max(0, ...dependents.map((other) => found[`s${other}`] ?? 0));
        expect(found[`s${index}`]).toBe(ms + longest);
      });
    }),
  );
});
