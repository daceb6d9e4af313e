// Plans that run with a clock: their estimate and critical path at every moment of the run.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AT } from "../../test/facts.ts";
import { propertyRuns, propertyTimeMs } from "../../test/property-runs.ts";
import { PAST, SEARCH_MEAN_MS, slotsOf, type TimedStep, timedRun } from "../../test/timed-run.ts";
import { dependenciesOf } from "../language/dependencies.ts";
import { planPath } from "./plan-path.ts";
import { progressOf } from "./progress.ts";
import { isSettled } from "../machine/step/step-state.ts";
import type { StepId } from "../values/ids.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const START_MS = Date.parse(AT);
const LIMITED = { interruptAfterTimeLimit: propertyTimeMs(), seed: 15 };
/** An estimate may be off by this factor. */
const FACTOR_MAX = 1.5;

const shape = fc.record({
  parents: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
  isWait: fc.boolean(),
  waitMs: fc.integer({ min: 100, max: 20_000 }),
  /** The duration of a search, as a share of the mean of earlier ones. */
  share: fc.double({ min: 0.8, max: 1.2, noNaN: true }),
  items: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined, freq: 4 }),
});

const stepsArbitrary = fc.array(shape, { minLength: 2, maxLength: 14 }).map((shapes) =>
  shapes.map(({ parents, isWait, waitMs, share, items }, index): TimedStep => {
    const needs = index === 0 ? [] : [...new Set(parents.map((parent) => `s${parent % index}`))];
    const ms = isWait ? waitMs : Math.round(SEARCH_MEAN_MS * share);
    return { id: `s${index}`, needs, tool: isWait ? "flow.wait" : "docs.search", ms, items };
  }),
);

/** Whether an estimate is always present, and off by less than `FACTOR_MAX` from the first third of the run. */
function estimatesOf(steps: readonly TimedStep[], slots: number): { isThere: boolean; isClose: boolean } {
  const { moments, endMs } = timedRun(steps, slots);
  const known = { past: PAST, slots: slotsOf(slots) };
  // The last run of a kind that varies by a fifth cannot be predicted to the millisecond.
  const slackMs = 0.25 * SEARCH_MEAN_MS;
  let isThere = true;
  let isClose = true;
  for (const { plan, atMs } of moments) {
    const { etaMs } = progressOf(plan, START_MS + atMs, known);
    isThere &&= etaMs !== null;
    if (atMs < endMs / 3 || etaMs === null) continue;
    const leftMs = endMs - atMs;
    isClose &&= etaMs <= leftMs * FACTOR_MAX + slackMs && etaMs >= leftMs / FACTOR_MAX - slackMs;
  }
  return { isThere, isClose };
}

describe("the estimate of a plan whose steps' durations are known", () => {
  it("exists from the start, and in 99 of 100 plans is off by less than half from the first third of the run", () => {
    let plans = 0;
    let off = 0;
    fc.assert(
      fc.property(stepsArbitrary, fc.integer({ min: 1, max: 5 }), (steps, slots) => {
        const { isThere, isClose } = estimatesOf(steps, slots);
        expect(isThere).toBe(true);
        plans += 1;
        off += isClose ? 0 : 1;
      }),
      { ...LIMITED, numRuns: propertyRuns(100) },
    );
    // A millisecond can decide which run gets the free slot, and the longest may then start last (Graham's anomalies).
    expect(off).toBeLessThanOrEqual(plans / 100);
  });

  it("is exact if steps state their duration and none waits for a slot", () => {
    fc.assert(
      fc.property(stepsArbitrary, (shapes) => {
        const steps = shapes.map((one): TimedStep => ({ ...one, tool: "flow.wait" }));
        const { moments, endMs } = timedRun(steps, 1_000);
        for (const { plan, atMs } of moments) {
          const { etaMs } = progressOf(plan, START_MS + atMs);
          expect(Math.abs((etaMs ?? Number.NaN) - (endMs - atMs))).toBeLessThanOrEqual(1);
        }
      }),
      { ...LIMITED, numRuns: propertyRuns(50) },
    );
  });

  it("is missing while a step is open whose kind has fewer than three known runs", () => {
    fc.assert(
      fc.property(stepsArbitrary, (steps) => {
        for (const { plan, atMs } of timedRun(steps, 3).moments) {
          const searches = [...plan.steps.values()].filter(({ step }) => step.tool === "docs.search");
          const isOpen = searches.some(({ state }) => !isSettled(state));
          const runs = [...plan.steps.values(), ...plan.items.values()].filter(
            ({ step, item, state }) =>
              step.tool === "docs.search" &&
              (step.forEach === undefined) === (item === undefined) &&
              state.status === "succeeded",
          );
          const { etaMs } = progressOf(plan, START_MS + atMs);
          expect(etaMs === null).toBe(isOpen && runs.length < 3);
        }
      }),
      { ...LIMITED, numRuns: propertyRuns(30) },
    );
  });
});

/** Why a path is not valid for an open plan; undefined if it is. */
function faultOf(plan: KnownPlan, stepIds: readonly StepId[]): string | undefined {
  const isOpen = (id: StepId | undefined): boolean => {
    const entry = id === undefined ? undefined : plan.steps.get(id);
    return entry !== undefined && !isSettled(entry.state);
  };
  const needsOf = (id: StepId): readonly StepId[] => {
    const entry = plan.steps.get(id);
    return entry === undefined ? [] : dependenciesOf(entry.step);
  };
  if (!isOpen(stepIds.at(-1))) return "it ends in a finished step";
  const first = stepIds.findIndex(isOpen);
  const holder = stepIds[first];
  if (holder === undefined || needsOf(holder).some(isOpen))
    return "it misses the step that holds the plan up";
  if (stepIds.slice(first).some((id) => !isOpen(id))) return "a finished step follows an unfinished one";
  const torn = stepIds.slice(1).find((id, index) => !needsOf(id).some((need) => need === stepIds[index]));
  return torn === undefined ? undefined : `${torn} does not need the step before it`;
}

describe("the critical path of an open plan", () => {
  it("is a chain that leads through the unfinished step that holds the plan up, at every moment", () => {
    fc.assert(
      fc.property(stepsArbitrary, fc.integer({ min: 1, max: 5 }), fc.boolean(), (steps, slots, isKnown) => {
        for (const { plan, atMs } of timedRun(steps, slots).moments) {
          const known = isKnown ? { past: PAST } : {};
          expect(faultOf(plan, planPath(plan, START_MS + atMs, known).stepIds)).toBeUndefined();
        }
      }),
      { ...LIMITED, numRuns: propertyRuns(100) },
    );
  });

  it("leads through the step that ends last, if durations are known and slots are not scarce", () => {
    fc.assert(
      fc.property(stepsArbitrary, (shapes) => {
        const steps = shapes.map((one): TimedStep => ({ ...one, tool: "flow.wait", items: undefined }));
        const { moments, endMs } = timedRun(steps, 100);
        const last = planPath(moments[0]?.plan as KnownPlan, START_MS).stepIds;
        const sum = last.reduce((ms, id) => ms + (steps.find((one) => one.id === id)?.ms ?? 0), 0);
        expect(sum).toBe(endMs);
      }),
      { ...LIMITED, numRuns: propertyRuns(50) },
    );
  });
});
