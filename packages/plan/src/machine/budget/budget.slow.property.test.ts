// Budgets in a simulated world with every kind of failure: what the model server really charged never exceeds the
// limit. See test/budget-invariants.ts for what is checked after every event.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  budgetArbitrary,
  factsArbitrary,
  gatesArbitrary,
  reviewArbitrary,
  unapprovedStepsArbitrary,
} from "../../../test/policy-arbitraries.ts";
import { choicesArbitrary, dagArbitrary } from "../../../test/arbitraries.ts";
import { submitted } from "../../../test/facts.ts";
import { propertyRuns, propertyTimeMs } from "../../../test/property-runs.ts";
import { runWorld } from "../../../test/simulated-world.ts";

const limitsArbitrary = fc.record({
  budget: budgetArbitrary,
  facts: factsArbitrary,
  review: reviewArbitrary,
  unapprovedStepsMax: unapprovedStepsArbitrary,
});
const goalArbitrary = fc
  .tuple(limitsArbitrary, gatesArbitrary)
  .map(([limits, gates]) => ({ ...limits, ...gates }));
const LIMITED = { interruptAfterTimeLimit: propertyTimeMs() };

it("never lets a submitted plan exceed its budget, and still ends it", () => {
  fc.assert(
    fc.property(dagArbitrary(), goalArbitrary, choicesArbitrary, (steps, about, choices) => {
      const documents = steps.map(({ step }) => step);
      const goal = submitted(documents, about);
      const { plan } = runWorld({ goal, drafts: [steps], choices });
      expect(plan.status === "cancelled" || plan.conclusion?.answer !== undefined).toBe(true);
    }),
    { ...LIMITED, numRuns: propertyRuns(16) },
  );
});

it("never lets a plan that is drafted, repaired and revised exceed its budget", () => {
  const drafts = fc.array(dagArbitrary({ stepsMin: 0, stepsMax: 12 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(drafts, goalArbitrary, choicesArbitrary, (steps, about, choices) => {
      const { plan } = runWorld({ goal: submitted(undefined, about), drafts: steps, choices });
      expect(plan.endedAt).toBeDefined();
    }),
    { ...LIMITED, numRuns: propertyRuns(16) },
  );
});
