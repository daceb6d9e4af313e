// Budgets in a world in which everything goes wrong that may: what the model's server has truly counted is never
// over the limit; see test/budget-invariants.ts for what is checked after every fact.
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

it("a submitted plan never exceeds its budget, and still ends", () => {
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

it("a plan that is drafted, repaired and revised never exceeds its budget", () => {
  const drafts = fc.array(dagArbitrary({ stepsMin: 0, stepsMax: 12 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(drafts, goalArbitrary, choicesArbitrary, (steps, about, choices) => {
      const { plan } = runWorld({ goal: submitted(undefined, about), drafts: steps, choices });
      expect(plan.endedAt).toBeDefined();
    }),
    { ...LIMITED, numRuns: propertyRuns(16) },
  );
});
