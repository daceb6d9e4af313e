// Logs of random plans, each with one of its events removed.
import fc from "fast-check";
import { expect, it } from "vitest";
import { choicesArbitrary, dagArbitrary } from "../../test/arbitraries.ts";
import { known, submitted } from "../../test/facts.ts";
import { propertyRuns, propertyTimeMs } from "../../test/property-runs.ts";
import { runWorld } from "../../test/simulated-world.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { accepts, evolve } from "./evolve.ts";
import { LogReading } from "./log-reading.ts";
import { type KnownPlan, noPlan, type Plan } from "./plan-state.ts";

it("never folds to a different outcome unnoticed, whichever event of an ended plan is removed", () => {
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
        // Not the first event, without which there is no plan, nor the last, without which it has not ended.
        const taken = counted[1 + (which % (counted.length - 2))];
        const rest = log.filter((event) => event !== taken);
        const { plan: other, missing, noticedAt } = readAll(rest);
        expect(missing ?? storyOf(other)).toEqual(missing ?? storyOf(plan));
        // A repeat of the event can take its place; a server would not store it, but this simulated world does.
        const hasRepeat = rest.some(({ id }) => id === taken?.id);
        const seenAt = hasRepeat ? -1 : rest.findIndex(hasRead(log, taken));
        expect(noticedAt).toBeLessThanOrEqual(seenAt + 1 || Infinity);
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

/** Whether the dispatcher had read `taken` when it wrote an event, or requested the work that the event reports. */
function hasRead(log: readonly PlanEvent[], taken: PlanEvent | undefined): (event: PlanEvent) => boolean {
  const reading = new LogReading();
  const before = new Set([reading.digest]);
  for (const event of log.slice(
    0,
    log.findIndex((one) => one === taken),
  )) {
    reading.add(event.id);
    before.add(reading.digest);
  }
  return ({ after }) => after !== undefined && !before.has(after);
}

/** @returns `noticedAt`: the number of events that were read when the first gap was noticed; Infinity if none was. */
function readAll(log: readonly PlanEvent[]) {
  let plan: Plan = noPlan;
  const reading = new LogReading();
  let missing: string | undefined;
  let noticedAt = Infinity;
  for (const [index, event] of log.entries()) {
    missing ??= reading.missingBefore(plan, event);
    if (missing !== undefined) noticedAt = Math.min(noticedAt, index + 1);
    plan = evolve(plan, event);
    reading.add(event.id);
  }
  return { plan: known(plan), missing, noticedAt };
}

/** How the plan ended, and the output of each step. */
function storyOf({ conclusion, steps, endedAt }: KnownPlan): unknown {
  const outputs = [...steps.values()].flatMap(({ step: { id }, state }) =>
    state.status === "succeeded" ? [[id, state.output]] : [],
  );
  return {
    outcome: endedAt === undefined ? "open" : conclusion?.outcome,
    outputs: Object.fromEntries(outputs),
  };
}
