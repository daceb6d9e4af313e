import fc from "fast-check";
import { expect, it } from "vitest";
import { after, submitted } from "../../../test/facts.ts";
import { propertyRuns } from "../../../test/property-runs.ts";
import { type PlanView, viewOf } from "../plan-view.ts";
import type { StepView } from "../step-view.ts";
import { comparePlans, type PlanComparison, type ComparedStep, type Likeness } from "./compare-plans.ts";
import { diffSequences, diffText } from "./diff-text.ts";

const RUNS = { numRuns: propertyRuns(100) };
const IDS = ["a", "b", "c", "d", "e", "f"];
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };
const FILE = { name: "o", contentType: "text/plain", bytes: 9 };

const outputArbitrary = fc.constantFrom(
  undefined,
  { value: 1 },
  { value: { x: [1, null] } },
  { artifact: FILE, preview: "abc" },
  { artifact: { ...FILE, name: "p" }, preview: "abc" },
  { artifact: { ...FILE, bytes: 10 }, preview: "abc" },
);

const stepArbitrary = fc.record({
  id: fc.constantFrom(...IDS),
  tool: fc.constantFrom("flow.echo", "model.write"),
  description: fc.constantFrom("", "look", "write"),
  dependsOn: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 2 }),
  args: fc.constantFrom({}, { value: 1 }, { value: { $ref: "a.output" } }),
  grant: fc.constant(GRANT),
  draft: fc.constant(1),
  status: fc.constantFrom("succeeded", "failed", "waiting"),
  attempt: fc.nat({ max: 3 }),
  failedAttempts: fc.constant([]),
  durationMs: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
  startedAt: fc.constantFrom(undefined, "2026-01-01T00:00:01Z", "2026-01-01T00:00:03Z"),
  endedAt: fc.constantFrom(undefined, "2026-01-01T00:00:04Z"),
  carried: fc.constantFrom(undefined, undefined, true as const),
  output: outputArbitrary,
});

const BASE = viewOf(after(submitted([{ id: "a", tool: "flow.echo" }])), 0);

const viewArbitrary: fc.Arbitrary<PlanView> = fc
  .record({
    steps: fc.uniqueArray(stepArbitrary, { selector: ({ id }) => id, maxLength: 6 }),
    goal: fc.constantFrom("one", "two"),
    text: fc.option(fc.string({ unit: fc.constantFrom("a", "b", " ", "\n") }), { nil: undefined }),
    planId: fc.constantFrom("p1", "p2"),
    forkOf: fc.constantFrom(undefined, "p1", "p2"),
  })
  .map(({ steps, goal, text, planId, forkOf }) => ({
    ...BASE,
    planId: planId as PlanView["planId"],
    goal,
    // Through JSON, as the page receives a view.
    steps: JSON.parse(JSON.stringify(steps)) as StepView[],
    ...(text === undefined
      ? {}
      : { answer: { text, status: "success", sources: [], artifacts: [] } as const }),
    ...(forkOf === undefined
      ? {}
      : { fork: { planId: forkOf, fromStep: "a", seq: 3 } as NonNullable<PlanView["fork"]> }),
  }));

it("finds no difference between a plan and itself", () => {
  fc.assert(
    fc.property(viewArbitrary, (view) => {
      const { steps, changes, answer, counts } = comparePlans(view, structuredClone(view));
      expect(steps.every(({ kind }) => kind === "same")).toBe(true);
      expect([changes, answer.isSame, counts.same]).toEqual([[], true, view.steps.length]);
    }),
    RUNS,
  );
});

it("contains every step of both plans exactly once", () => {
  fc.assert(
    fc.property(viewArbitrary, viewArbitrary, (left, right) => {
      const { steps } = comparePlans(left, right);
      const lefts = steps.flatMap((step) => ("left" in step ? [step.left] : []));
      const rights = steps.flatMap((step) => ("right" in step ? [step.right] : []));
      expect(new Set(lefts)).toEqual(new Set(left.steps));
      expect(new Set(rights)).toEqual(new Set(right.steps));
      expect([lefts.length, rights.length]).toEqual([left.steps.length, right.steps.length]);
    }),
    RUNS,
  );
});

it("yields the same with the sides exchanged", () => {
  fc.assert(
    fc.property(viewArbitrary, viewArbitrary, (left, right) => {
      expect(told(comparePlans(right, left), "right")).toEqual(told(comparePlans(left, right), "left"));
    }),
    RUNS,
  );
});

/** A comparison without its order, the side of `first` first. */
function told(comparison: PlanComparison, first: "left" | "right") {
  const other = first === "left" ? "right" : "left";
  const { changes, figures, answer, steps, counts, fork } = comparison;
  const ids = (step: ComparedStep): string => {
    const of = (side: "left" | "right") =>
      side in step ? (step as { left: StepView; right: StepView })[side].id : "-";
    return `${of(first)} ${of(other)}`;
  };
  const about = (step: ComparedStep) => {
    if (!("changes" in step)) return [ids(step)];
    return [
      ids(step),
      step.kind,
      step.matchedBy,
      step.output,
      step.changes.map((one) => [one.field, one[first], one[other]]),
    ];
  };
  const textOf = (side: "left" | "right") =>
    answer.text.filter((part) => part.side === side).reduce((sum, { text }) => sum + text.length, 0);
  return {
    changes: changes.map((one) => [one.field, one[first], one[other]]),
    figures: figures.map((one) => [one.name, one[first], one[other]]),
    answer: [answer.isSame, answer.status[first], answer.status[other], answer.data satisfies Likeness],
    // Which of several longest common texts is found depends on the side; its length does not.
    text: answer.text.length === 0 ? 0 : textOf(first) - textOf(other),
    steps: steps.map((one) => JSON.stringify(about(one))).toSorted(),
    counts: [counts.changed, counts.same, counts[`only-${first}`], counts[`only-${other}`]],
    // Only in artificial views can each be a fork of the other: then the right side counts.
    fork: fork?.fromStep,
  };
}

const textArbitrary = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "."), maxLength: 40 });

it("yields both texts from the parts of a difference, and no difference for equal texts", () => {
  fc.assert(
    fc.property(textArbitrary, textArbitrary, (left, right) => {
      const parts = diffText(left, right);
      const without = (side: string) =>
        parts.flatMap((part) => (part.side === side ? [] : [part.text])).join("");
      expect([without("right"), without("left")]).toEqual([left, right]);
      expect(diffText(left, left).every(({ side }) => side === "both")).toBe(true);
      for (const [index, part] of parts.entries()) expect(part.side).not.toBe(parts[index + 1]?.side);
    }),
    RUNS,
  );
});

it("finds the longest common part", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b"), { maxLength: 7 }),
      fc.array(fc.constantFrom("a", "b"), { maxLength: 7 }),
      (left, right) => {
        const common = diffSequences(left, right).flatMap(({ side, items }) =>
          side === "both" ? items : [],
        );
        expect(common.length).toBe(longestCommon(left, right));
      },
    ),
    RUNS,
  );
});

/** By exhaustive search. */
function longestCommon([first, ...left]: readonly string[], right: readonly string[]): number {
  if (first === undefined) return 0;
  const at = right.indexOf(first);
  const without = longestCommon(left, right);
  return at === -1 ? without : Math.max(without, 1 + longestCommon(left, right.slice(at + 1)));
}
