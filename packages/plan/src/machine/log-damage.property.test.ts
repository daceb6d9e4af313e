// Logs of random plans, each without one of its facts.
import fc from "fast-check";
import { expect, it } from "vitest";
import { choicesArbitrary, dagArbitrary } from "../../test/arbitraries.ts";
import { known, submitted } from "../../test/facts.ts";
import { propertyRuns, propertyTimeMs } from "../../test/property-runs.ts";
import { runWorld } from "../../test/simulated-world.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { accepts, evolve } from "./evolve.ts";
import { missingBefore } from "./missing-before.ts";
import { type KnownPlan, noPlan, type Plan } from "./plan-state.ts";

it("no ended plan tells another story unnoticed, whichever of its facts is taken out", () => {
  fc.assert(
    fc.property(
      fc.array(dagArbitrary({ stepsMin: 1, stepsMax: 10 }), { minLength: 1, maxLength: 2 }),
      fc.boolean(),
      choicesArbitrary,
      fc.nat(),
      (drafts, isSubmitted, choices, which) => {
        const goal = submitted(isSubmitted ? drafts[0]?.map(({ step: one }) => one) : undefined);
        const { log, plan } = runWorld({ goal, drafts, choices });
        const counted = countedOf(log);
        // Not the first fact, without which there is no plan, nor the last, without which it has not ended.
        const taken = counted[1 + (which % (counted.length - 2))];
        const { plan: other, missing } = readAll(counted.filter((event) => event !== taken));
        expect(missing ?? storyOf(other)).toEqual(missing ?? storyOf(plan));
      },
    ),
    { interruptAfterTimeLimit: propertyTimeMs(), numRuns: propertyRuns(32) },
  );
});

function countedOf(log: readonly PlanEvent[]): PlanEvent[] {
  let plan: Plan = noPlan;
  return log.filter((event) => {
    const counts = accepts(plan, event);
    plan = evolve(plan, event);
    return counts;
  });
}

function readAll(log: readonly PlanEvent[]): { plan: KnownPlan; missing: string | undefined } {
  let plan: Plan = noPlan;
  let missing: string | undefined;
  for (const event of log) {
    if (plan.status !== "absent") missing ??= missingBefore(plan, event);
    plan = evolve(plan, event);
  }
  return { plan: known(plan), missing };
}

/** How it ended, and what each step gave. */
function storyOf({ conclusion, steps, endedAt }: KnownPlan): unknown {
  const outputs = [...steps.values()].flatMap(({ step: { id }, state }) =>
    state.status === "succeeded" ? [[id, state.output]] : [],
  );
  return {
    outcome: endedAt === undefined ? "open" : conclusion?.outcome,
    outputs: Object.fromEntries(outputs),
  };
}
