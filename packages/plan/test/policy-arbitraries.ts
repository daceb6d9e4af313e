/** Random settings of goals. */
import fc from "fast-check";
import type { StoredBudget } from "../src/language/budget.ts";

/** The outputs that facts are extracted from; absent in older goals. */
export const factsArbitrary = fc.constantFrom(undefined, "off", "large", "all");

/** Claims that agree, disagree, and spell a key in several ways. */
export const claimArbitrary = fc.record({
  key: fc.constantFrom("price", "Price ", "size", "of it", "OF  it"),
  value: fc.constantFrom("1", "2", 1, true, null),
  confidence: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
});

/** When approval is required; absent in older goals. */
const approvalArbitrary = fc.constantFrom(
  undefined,
  ...["never", "high", "medium", "low"].map((risk) => ({ risk, expiresAfterMs: 60_000 })),
  { risk: "never", plan: true, expiresAfterMs: 60_000 },
  { plan: true, confidenceBelow: 0.5, expiresAfterMs: 60_000 },
  { risk: "never", confidenceBelow: 0.7, expiresAfterMs: 60_000 },
);

/** The maximum number of steps of a model's draft that runs without approval; absent in older goals. */
export const unapprovedStepsArbitrary = fc.constantFrom(undefined, undefined, 1, 3, 8);

/** Budgets from far too small to ample, of every kind of limit. */
export const budgetArbitrary: fc.Arbitrary<StoredBudget> = fc.record(
  {
    tokens: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 1_000_000 })),
    usd: fc.double({ min: 0.000_001, max: 5, noNaN: true }),
    seconds: fc.integer({ min: 1, max: 2_000 }),
    steps: fc.integer({ min: 1, max: 80 }),
    usdPerToken: fc.record({
      input: fc.constantFrom(0, 0.000_002, 0.001),
      output: fc.constantFrom(0, 0.000_008, 0.001),
    }),
    onExhausted: fc.constantFrom("end", "ask"),
  },
  { requiredKeys: ["onExhausted"] },
);

/** The parts of a plan that are reviewed; absent in older goals. */
export const reviewArbitrary = fc.constantFrom(
  undefined,
  undefined,
  { steps: true },
  { plan: true },
  { plan: { again: true }, steps: true },
  { answer: true },
  { answer: { maxIterations: 2 }, plan: true },
);

/** The installation's policy: none, as in older goals, or one that is stricter or more lenient than the submission. */
const gatePolicyArbitrary = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  { approval: { risk: "medium", confidenceBelow: 0.4 }, rules: [] },
  { approval: { plan: true }, maxBudget: { steps: 30, tokens: 50_000 }, rules: [] },
  { rules: [{ tools: ["mail.*"], requireApproval: true }] },
  {
    rules: [
      { tools: ["*"], from: ["files.*"], deny: true },
      { tools: ["*"], from: ["mail.*", "plan.run"], requireApproval: true },
    ],
  },
  { rules: [{ tools: ["files.*", "flow.*"], when: "value == 1", requireApproval: true }] },
  {
    approval: { risk: "low" },
    rules: [
      { tools: ["mail.*"], when: "value", deny: true },
      { tools: ["flow.echo"], requireApproval: false },
    ],
  },
);

/** The gates of a plan: those of its submission, and the installation's policy. */
export const gatesArbitrary = fc.record({ approval: approvalArbitrary, policy: gatePolicyArbitrary });
