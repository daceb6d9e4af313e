// The cost of large plans, counted instead of timed (EVOLVE-6).
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  draftStarted,
  failed,
  faltered,
  known,
  newlyOwedTo,
  planned,
  sealed,
  skipped,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { newlyOwed } from "../decide/owed.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { evolve } from "./evolve.ts";
import { LIMITS } from "../values/limits.ts";
import { isEnded, type KnownPlan, noPlan, type Plan } from "./plan-state.ts";

const STEPS = LIMITS.stepsMax;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
const [root = "", ...leaves] = ids(STEPS - 1);
const fanOutAndIn = [step(root), ...leaves.map((id) => step(id, [root])), step("join", leaves)];

/** The steps whose entries are not the same objects as before. */
function touched(before: KnownPlan, after_: KnownPlan): number {
  return after_.steps.count((entry, stepId) => before.steps.get(stepId) !== entry);
}

describe("one event of a plan of 10,000 steps", () => {
  const wide = after(submitted(fanOutAndIn), succeeded(root));

  it("touches the step, its dependents, and the step that starts in its place", () => {
    expect(wide.inFlight).toBe(LIMITS.inFlightMax);
    let plan = wide;
    for (const stepId of leaves.slice(0, 20)) {
      const next = andAfter(plan, succeeded(stepId));
      // The step itself, the step that depends on it, and the step that starts in its place.
      expect(touched(plan, next)).toBe(3);
      expect(newlyOwedTo(next)).toHaveLength(1);
      plan = next;
    }
  });

  it("touches one step when it is planned, however many there are", () => {
    let plan = after(submitted(), draftStarted(), planned(step(root)), succeeded(root));
    const touchedBy: number[] = [];
    for (const id of leaves) {
      const next = known(evolve(plan, planned(step(id, [root]))));
      if (Number(id.slice(1)) % 1_000 === 0) touchedBy.push(touched(plan, next));
      plan = next;
    }
    expect(touchedBy).toEqual(Array(9).fill(2));
    expect(plan).toMatchObject({ inFlight: LIMITS.inFlightMax, total: leaves.length + 1 });
  });

  it("touches the steps that it skips, and skips all of them in a single event", () => {
    const plan = after(submitted(fanOutAndIn), failed(root));
    const [command, ...others] = decideNext(plan);
    expect(others).toEqual([]);
    if (command?.kind !== "record" || command.event.type !== "step.skipped") throw new Error("wanted a skip");
    expect(command.event.data.stepIds).toHaveLength(STEPS - 1);
    expect(Buffer.byteLength(JSON.stringify(command.event))).toBeLessThan(1024 * 1024);
    expect(known(evolve(plan, skipped(command.event.data.stepIds, root)))).toMatchObject({ done: STEPS });
  });
});

describe("a plan of 10,000 steps", () => {
  it.each([
    ["side by side", ids(STEPS).map((id) => step(id))],
    ["in a chain", ids(STEPS).map((id, index) => step(id, index === 0 ? [] : [`s${index - 1}`]))],
    ["that part and meet", fanOutAndIn],
    [
      "each referring to the one before",
      ids(STEPS).map((id, index) =>
        step(id, [], index === 0 ? {} : { args: { value: { $ref: `s${index - 1}.output` } } }),
      ),
    ],
  ])("%s ends", (_name, steps) => {
    const { plan, facts, inFlightMax } = runPlainly(submitted(steps));
    expect(plan).toMatchObject({ status: "succeeded", done: STEPS, total: STEPS, percent: 100 });
    expect(plan.seq).toBe(facts);
    expect(inFlightMax).toBeLessThanOrEqual(LIMITS.inFlightMax);
  });

  it("is cancelled by one event", () => {
    const plan = after(submitted(fanOutAndIn), succeeded(root), cancelRequested());
    expect(plan).toMatchObject({ inFlight: 0, total: 1, done: 1 });
    expect(decide(plan)).toHaveLength(1);
  });

  it("is taken over at the cost of its steps in flight, not of all its steps", () => {
    const plan = after(submitted(fanOutAndIn), succeeded(root));
    expect(decide(plan)).toHaveLength(LIMITS.inFlightMax);
  });

  it("is drafted, and released by one event", () => {
    const write = { pool: "default", risk: "medium", effect: "idempotent", timeoutMs: 1_000 };
    let plan: Plan = after(submitted(), draftStarted());
    for (const id of ids(STEPS)) plan = evolve(plan, planned(step(id), { grant: write }));
    expect(known(plan)).toMatchObject({ inFlight: 0, total: STEPS });
    expect(newlyOwedTo(andAfter(known(plan), sealed()))).toHaveLength(LIMITS.inFlightMax);
  });
});

describe("the capacity for steps in flight", () => {
  const wide = after(submitted(ids(LIMITS.inFlightMax + 2).map((id) => step(id))));
  const waiting = (plan: KnownPlan) =>
    [...plan.steps.values()].filter(({ state }) => state.status === "waiting" && state.for === "capacity")
      .length;

  it.each([
    ["succeeds", succeeded("s0")],
    ["fails", failed("s0")],
    ["waits for its next attempt", faltered("s0")],
  ])("goes to the next step in the queue when a step %s", (_name, event) => {
    const plan = known(evolve(wide, event));
    expect([waiting(wide), waiting(plan)]).toEqual([2, 1]);
    expect(plan.inFlight).toBe(LIMITS.inFlightMax);
  });

  it("is waited for again by a step whose timer fires while none is free", () => {
    const full = [faltered("s0"), faltered("s1"), timerFired("retry-s0-0-2")].reduce<Plan>(evolve, wide);
    expect(waiting(known(full))).toBe(1);
    expect(
      known(evolve(full, succeeded("s2"))).steps.find(({ step: { id } }) => id === "s0")?.state,
    ).toMatchObject({
      status: "running",
      attempt: 2,
    });
  });

  it("goes to steps in the order in which they became ready", () => {
    const plan = andAfter(wide, succeeded("s5"), succeeded("s3"));
    expect(newlyOwedTo(plan)).toMatchObject([{ kind: "run", stepId: `s${LIMITS.inFlightMax + 1}` }]);
  });
});

/** Runs a plan in which every command succeeds, in order. */
function runPlainly(goal: PlanEvent): { plan: KnownPlan; facts: number; inFlightMax: number } {
  const facts: PlanEvent[] = [goal];
  let plan: Plan = noPlan;
  let inFlightMax = 0;
  for (let index = 0; index < facts.length; index++) {
    const event = facts[index];
    if (event === undefined) break;
    const before: Plan = plan;
    const next = known(evolve(before, event));
    plan = next;
    inFlightMax = Math.max(inFlightMax, next.inFlight);
    for (const command of decide(next, newlyOwed(before, next))) facts.push(resultOf(command));
  }
  const end = known(plan);
  expect(isEnded(end)).toBe(true);
  return { plan: end, facts: facts.length, inFlightMax };
}

function resultOf(command: ReturnType<typeof decide>[number]): PlanEvent {
  if (command.kind === "run") return succeeded(command.work.stepId);
  if (command.kind === "record") return { ...command.event, at: "2026-01-01T00:00:00Z" };
  if (command.kind === "join") return answerGiven(command.work.join);
  throw new Error(`${command.kind} was not expected`);
}
