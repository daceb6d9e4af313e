// A log from which facts have vanished: what gives it away, and what becomes of the plan.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choicesArbitrary, dagArbitrary } from "../test/arbitraries.ts";
import {
  after,
  andAfter,
  draftStarted,
  factRecorded,
  faltered,
  known,
  logDamaged,
  planEnded,
  planned,
  reviewed,
  sealed,
  skipped,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../test/facts.ts";
import { runWorld } from "../test/simulated-world.ts";
import { decide } from "./decide.ts";
import type { PlanEvent } from "./events/plan-event.ts";
import { accepts, evolve } from "./evolve.ts";
import { missingBefore } from "./missing-before.ts";
import { type KnownPlan, noPlan, type Plan } from "./state/plan-state.ts";

const chain = submitted([step("a"), step("b", ["a"])]);

describe("a fact shows that something before it has vanished", () => {
  it.each<[string, KnownPlan, PlanEvent, RegExp]>([
    ["an outcome of a step whose needs were not met", after(chain), succeeded("b"), /outcome .* b needs/],
    ["a second attempt after no first", after(chain), succeeded("a", 1, 2), /attempt 1 of step a/],
    ["a retry without its timer", after(chain, faltered("a")), succeeded("a", 1, 2), /timer that a/],
    ["an outcome of a step nobody planned", after(chain), succeeded("z"), /planning of step z/],
    ["a skipping without a failure", after(chain), skipped(["b"], "a"), /failure of step a/],
    ["facts from a step nobody planned", after(chain), factRecorded("z", []), /planning of step z/],
    ["facts from an output that is not there", after(chain), factRecorded("a", []), /success of step a/],
    ["a judgement of a step nobody planned", after(chain), reviewed("z"), /planning of step z/],
    ["a judgement of an output that is not there", after(chain), reviewed("a"), /outcome of step a/],
    [
      "a judgement of a second attempt",
      after(chain),
      reviewed("a", { attempt: 2 }),
      /end of attempt 1 of step a/,
    ],
    ["an end that nothing led to", after(chain), planEnded(), /plan's end/],
    ["a draft that nobody asked for", after(submitted()), draftStarted(2), /draft 2/],
    ["a step of a draft that has not begun", after(submitted()), planned(step("a")), /start of draft 1/],
    [
      "a draft with steps that are not there",
      after(submitted(), draftStarted()),
      sealed(1, { steps: 2 }),
      /2 steps/,
    ],
  ])("%s", (_, plan, event, missing) => {
    expect(missingBefore(plan, event)).toMatch(missing);
  });

  it("but not one that is late, repeated or of no consequence", () => {
    const plan = after(chain, succeeded("a"));
    const looks = [factRecorded("a", []), reviewed("a"), reviewed("z", { item: 1 })];
    for (const event of [succeeded("a"), faltered("a"), timerFired("x"), ...looks]) {
      expect(missingBefore(plan, event)).toBeUndefined();
    }
  });

  it("so that no ended plan tells another story unnoticed, whichever fact is taken out", () => {
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
      { interruptAfterTimeLimit: 20_000, numRuns: 300 },
    );
  });
});

describe("a plan whose log is damaged", () => {
  it("stops, and ends as failed with what it has", () => {
    const plan = after(chain, succeeded("a", "kept"), logDamaged("the outcome of c is gone"));
    expect([stepOf(plan, "a").state.status, stepOf(plan, "b").state.status]).toEqual([
      "succeeded",
      "cancelled",
    ]);
    expect(plan.damage).toBe("the outcome of c is gone");
    expect(decide(plan).map(({ kind }) => kind)).toEqual(["stop", "record"]);
    expect(plan.conclusion).toMatchObject({
      outcome: "failed",
      reason: "the plan's log is damaged: the outcome of c is gone",
    });
    expect(andAfter(plan, logDamaged("again"))).toBe(plan);
  });

  it("is only marked once its end was decided", () => {
    const concluded = after(chain, succeeded("a"), succeeded("b"));
    const plan = andAfter(concluded, logDamaged());
    expect(plan.damage).toBe("a fact is gone");
    expect(plan.conclusion).toEqual(concluded.conclusion);
  });
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
