// Plans of light steps in a world in which workers die in the middle of a unit, come back late, and close units, while
// users pause and resume the plan; see test/simulated-world.ts.
import fc from "fast-check";
import { expect, it } from "vitest";
import { choicesArbitrary } from "../../../test/arbitraries.ts";
import { GRANTS, LIGHT, step, submitted } from "../../../test/facts.ts";
import { propertyRuns, propertyTimeMs } from "../../../test/property-runs.ts";
import { runWorld } from "../../../test/simulated-world.ts";

const GRANTED = { ...GRANTS, "flow.echo": LIGHT };

/** Each step needs only earlier steps; most are light. */
const lightStepsArbitrary = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat({ max: 999 }), { maxLength: 2 }),
      kind: fc.constantFrom("light", "light", "light", "light", "slow", "lost"),
    }),
    { minLength: 2, maxLength: 40, size: "max" },
  )
  .map((shapes) =>
    shapes.map(({ parents, kind }, index) => {
      const needs = index === 0 ? [] : [...new Set(parents.map((parent) => `s${parent % index}`))];
      const path = kind === "lost" ? "output.x" : "output";
      const args = { values: needs.map((id) => ({ $ref: `${id}.${path}` })) };
      return step(`s${index}`, [], { args, tool: kind === "slow" ? "model.write" : "flow.echo" });
    }),
  );

it("always ends a plan of light steps, whatever happens to its units (UNIT-1, UNIT-2)", () => {
  fc.assert(
    fc.property(lightStepsArbitrary, choicesArbitrary, fc.boolean(), (steps, choices, replanOnFailure) => {
      const goal = submitted(steps, { grants: GRANTED, replanOnFailure, maxReplans: 0 });
      const { plan } = runWorld({ goal, choices });
      expect(plan.units.size).toBe(0);
    }),
    { interruptAfterTimeLimit: propertyTimeMs(), numRuns: propertyRuns(100) },
  );
});
