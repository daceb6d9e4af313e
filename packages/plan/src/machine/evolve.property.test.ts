// Random plans in a simulated world with every kind of failure; see test/simulated-world.ts for the failures, and
// test/invariants.ts for what is checked after every event and every decision.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gatesArbitrary,
  factsArbitrary,
  reviewArbitrary,
  unapprovedStepsArbitrary,
} from "../../test/policy-arbitraries.ts";
import { choicesArbitrary, dagArbitrary, loopsArbitrary } from "../../test/arbitraries.ts";
import { lawlessFactArbitrary, lawlessGoalArbitrary } from "../../test/lawless-arbitraries.ts";
import { brokenEffects } from "../../test/effect-invariants.ts";
import { GRANTS, known, LIGHT, submitted } from "../../test/facts.ts";
import { brokenLoops } from "../../test/loop-invariants.ts";
import { checkedDecide } from "../../test/command-invariants.ts";
import { brokenOutcome } from "../../test/outcome-invariants.ts";
import { checkedEvolve } from "../../test/invariants.ts";
import { propertyRuns, propertyTimeMs } from "../../test/property-runs.ts";
import { runWorld } from "../../test/simulated-world.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { accepts, evolve } from "./evolve.ts";
import { PlanView, viewOf } from "../view/plan-view.ts";
import { type KnownPlan, noPlan, type Plan } from "./plan-state.ts";

/** Steps that become ready together go to one worker in one message. */
const BUNDLED = { ...GRANTS, "flow.echo": LIGHT };
/** The part of a goal that lists the steps carried over from another plan. */
function forkedWith(carried: readonly { step: object; grant: object }[]): object {
  if (carried.length === 0) return {};
  const output = { value: { x: 1 } };
  const fork = { planId: "p0", fromStep: "s9", seq: 9 };
  return { fork, carried: carried.map(({ step, grant }) => ({ step, grant, output })) };
}

/** Immediate or delayed. */
const startArbitrary = fc.constantFrom(undefined, undefined, "2026-01-02T00:00:00Z");

const searchArbitrary = fc.option(
  fc.record({
    iterations: fc.integer({ min: 1, max: 6 }),
    width: fc.integer({ min: 1, max: 3 }),
    depth: fc.integer({ min: 1, max: 3 }),
    exploration: fc.double({ min: 0, max: 2, noNaN: true }),
  }),
  { nil: undefined },
);

const LIMITED = { interruptAfterTimeLimit: propertyTimeMs() };

describe("a plan of finite failures", () => {
  it("ends when it was submitted", () => {
    fc.assert(
      fc.property(
        dagArbitrary(),
        fc.boolean(),
        gatesArbitrary,
        startArbitrary,
        fc.boolean(),
        factsArbitrary,
        choicesArbitrary,
        fc.nat({ max: 3 }),
        (steps, isShuffled, gates, startAt, replanOnFailure, facts, choices, done) => {
          // A submitted plan's steps can be in any order; some steps of a forked plan are already done.
          const carried = steps.slice(0, Math.min(done, steps.length - 1));
          const documents = steps.slice(carried.length).map(({ step }) => step);
          const order = isShuffled ? documents.toReversed() : documents;
          const review = replanOnFailure ? { steps: true, answer: isShuffled } : undefined;
          const policies = { ...gates, startAt, replanOnFailure, review, facts, grants: BUNDLED };
          const goal = submitted(order, { ...policies, ...forkedWith(carried) });
          const { log, plan } = runWorld({ goal, drafts: [steps], choices });
          expect(replaysOf(log)).toEqual(replaysTo(plan));
          expect(brokenEffects(log, plan)).toEqual([]);
          expect(brokenOutcome(plan)).toEqual([]);
        },
      ),
      { ...LIMITED, numRuns: propertyRuns(15) },
    );
  });

  it("ends when it is drafted, repaired and revised", () => {
    fc.assert(
      fc.property(
        fc.array(dagArbitrary({ stepsMin: 0, stepsMax: 12 }), { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 3 }),
        gatesArbitrary,
        startArbitrary,
        fc.boolean(),
        factsArbitrary,
        reviewArbitrary,
        unapprovedStepsArbitrary,
        choicesArbitrary,
        (drafts, maxReplans, gates, startAt, replanOnFailure, facts, review, unapprovedStepsMax, choices) => {
          const policies = { ...gates, review, facts, unapprovedStepsMax };
          const about = { maxReplans, startAt, replanOnFailure, ...policies };
          const goal = submitted(undefined, about);
          const { log, plan } = runWorld({ goal, drafts, choices });
          expect(replaysOf(log)).toEqual(replaysTo(plan));
          expect(brokenEffects(log, plan)).toEqual([]);
          expect(brokenOutcome(plan)).toEqual([]);
        },
      ),
      { ...LIMITED, numRuns: propertyRuns(30) },
    );
  });

  it("ends when it uses a tree search", () => {
    fc.assert(
      fc.property(
        fc.array(dagArbitrary({ stepsMin: 0, stepsMax: 4 }), { minLength: 1, maxLength: 4 }),
        searchArbitrary,
        startArbitrary,
        reviewArbitrary,
        unapprovedStepsArbitrary,
        choicesArbitrary,
        (drafts, search, startAt, review, unapprovedStepsMax, choices) => {
          const about = { search, startAt, review, unapprovedStepsMax };
          const goal = submitted(undefined, { strategy: "tree-search", ...about });
          const { log, plan } = runWorld({ goal, drafts, choices });
          expect(replaysOf(log)).toEqual(replaysTo(plan));
          expect(brokenOutcome(plan)).toEqual([]);
          expect(plan.search?.rounds.length ?? 0).toBeLessThanOrEqual(search?.iterations ?? 6);
          const depth = search?.depth ?? 4;
          expect(plan.search?.tree.nodes.every((node) => node.depth <= depth) ?? true).toBe(true);
        },
      ),
      { ...LIMITED, numRuns: propertyRuns(24) },
    );
  });

  it("ends when its steps work in loops", () => {
    fc.assert(
      fc.property(loopsArbitrary, gatesArbitrary, choicesArbitrary, (steps, gates, choices) => {
        const goal = submitted(
          steps.map(({ step }) => step),
          gates,
        );
        const { log, plan } = runWorld({ goal, drafts: [steps], choices });
        expect(replaysOf(log)).toEqual(replaysTo(plan));
        expect(brokenEffects(log, plan)).toEqual([]);
        expect(brokenLoops(log, plan)).toEqual([]);
        expect(brokenOutcome(plan)).toEqual([]);
      }),
      { ...LIMITED, numRuns: propertyRuns(60) },
    );
  });

  it("ends when it has more parallel runs than the limit of runs in flight", () => {
    const wide = Array.from({ length: 1_300 }, (_, index) => ({
      step: { id: `s${index}`, tool: "flow.echo", dependsOn: index < 1_200 ? [] : [`s${index - 1_200}`] },
      grant: {},
    }));
    fc.assert(
      fc.property(choicesArbitrary, (choices) => {
        const { log, plan } = runWorld({
          goal: submitted(
            wide.map(({ step }) => step),
            { grants: BUNDLED },
          ),
          choices,
        });
        expect(replaysOf(log)).toEqual(replaysTo(plan));
      }),
      { ...LIMITED, numRuns: 1 },
    );
  });
});

describe("arbitrary events", () => {
  it("never break a plan (EVOLVE-1)", () => {
    const facts = fc.array(fc.oneof({ weight: 8, arbitrary: lawlessFactArbitrary }, lawlessGoalArbitrary), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(lawlessGoalArbitrary, facts, (goal, others) => {
        let plan: Plan = noPlan;
        for (const event of [...others.slice(0, 2), goal, ...others.slice(2)]) {
          const before = plan;
          plan = checkedEvolve(before, event);
          if (plan.status !== "absent") checkedDecide(before, plan);
        }
        const view = viewOf(known(plan), 0);
        expect(PlanView.parse(view)).toEqual(view);
      }),
      { ...LIMITED, numRuns: propertyRuns(480) },
    );
  });
});

type Replays = {
  whole: unknown;
  accepted: unknown;
  otherClocks: unknown;
  seq: number;
  last: string | undefined;
};

/**
 * The folds of the whole log, of only its accepted events (EVOLVE-4), and of the same log with the times of other
 * clocks (EVOLVE-5).
 */
function replaysOf(log: readonly PlanEvent[]): Replays {
  let plan: Plan = noPlan;
  const accepted: PlanEvent[] = [];
  for (const event of log) {
    if (accepts(plan, event)) accepted.push(event);
    plan = evolve(plan, event);
  }
  return {
    whole: plainOf(plan),
    accepted: plainOf(accepted.reduce(evolve, noPlan)),
    otherClocks: courseOf(log.map(atAnotherTime).reduce<Plan>(evolve, noPlan)),
    seq: accepted.length,
    last: accepted.at(-1)?.type,
  };
}

/** Refused events leave no trace in a plan, and its last event is its end. */
function replaysTo(plan: KnownPlan): Replays {
  const plain = plainOf(plan);
  return {
    whole: plain,
    accepted: plain,
    otherClocks: courseOf(plan),
    seq: plan.seq,
    last: "plan.ended",
  };
}

/** Returns the event with the time of a clock that is up to an hour off, different for each event. */
function atAnotherTime(event: PlanEvent, index: number): PlanEvent {
  const offsetMs = ((index * 7_919) % 7_200_000) - 3_600_000;
  return { ...event, at: new Date(Date.parse(event.at) + offsetMs).toISOString() };
}

/** Returns the state of a plan without its times. */
function courseOf(plan: Plan): unknown {
  if (plan.status === "absent") return plan;
  const { status, seq, conclusion, compensations } = plan;
  const steps = plan.steps.map(({ state, failedAttempts }) => [state.status, failedAttempts.length]).toJSON();
  const items = plan.items.map(({ state, failedAttempts }) => [state.status, failedAttempts.length]).toJSON();
  const undone = compensations?.map(({ stepId, state }) => [stepId, state.status]).toJSON();
  return { status, seq, outcome: conclusion?.outcome, reason: conclusion?.reason, steps, items, undone };
}

/** Returns the plan with plain objects instead of collections, so that differences are shown. */
function plainOf(plan: Plan): unknown {
  if (plan.status === "absent") return plan;
  const {
    queue,
    held,
    standIns,
    unskipped,
    undecided,
    timers,
    approvals,
    artifacts,
    subPlans,
    knowledge,
    ...rest
  } = plan;
  // The ledger also records refused events: see its test.
  const steps = rest.steps.map((entry) => ({ ...entry, effects: [], calls: [] }));
  const items = rest.items.map((entry) => ({ ...entry, effects: [], calls: [] }));
  const compensations = rest.compensations?.map((entry) => ({ ...entry, effects: [] })).toJSON();
  const collections = {
    steps,
    items,
    queue,
    held,
    standIns,
    unskipped,
    undecided,
    timers,
    approvals,
    artifacts,
    subPlans,
  };
  const plain = Object.entries(collections).map(([name, collection]) => [name, collection.toJSON()]);
  const { facts, questions, processing, leftOut } = knowledge;
  const known = [facts.toJSON(), questions.toJSON(), processing.toJSON(), leftOut];
  return { ...rest, compensations, known, ...Object.fromEntries(plain) };
}
