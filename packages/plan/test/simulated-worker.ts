/** Workers of a simulated world that behave like the executor's code: they start, act, die, and report. */
import assert from "node:assert/strict";
import { AGENT_REACT } from "../src/language/tool-names.ts";
import { CODE_RUN } from "../src/arguments/code-run.ts";
import { attemptName } from "../src/events/values.ts";
import { wholeOf } from "../src/language/budget.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { UnitClosed } from "../src/events/step-events.ts";
import { isWorkWanted } from "../src/decide/is-work-wanted.ts";
import { runOf } from "../src/machine/step/runs.ts";
import type { KnownPlan } from "../src/machine/plan-state.ts";
import { UnitCourse } from "../src/decide/unit-course.ts";
import { workOfUnit } from "../src/decide/unit-work.ts";
import { type StepWork, type UnitWork } from "../src/events/work.ts";
import type { Choose, TrueSpending } from "./budget-invariants.ts";
import { failed, interrupted, started } from "./facts.ts";
import { outcomeOf } from "./simulated-ends.ts";
import { SimulatedLoops } from "./simulated-loops.ts";

/** An actor at work: it proceeds to its next event each time it is resumed. */
export type Activity = Generator<undefined, void>;

/** A unit is split into its steps at its third delivery. */
const UNIT_DELIVERIES_MAX = 2;

/** What workers know about their world. */
export type WorkersWorld = {
  readonly truth: () => KnownPlan;
  /** How many times users have paused, resumed or otherwise controlled the plan. */
  readonly flow: () => number;
  /** Stores events in one message, unless a message with their ids exists. Returns whether this one was stored. */
  readonly store: (...events: PlanEvent[]) => boolean;
  readonly choose: Choose;
  readonly spending: TrueSpending;
};

export class SimulatedWorkers {
  readonly #world: WorkersWorld;
  readonly #loops: SimulatedLoops;
  /** How often an attempt's tool has run, and how often its worker has died. */
  readonly #runs = new Map<string, { ran: number; deaths: number }>();

  constructor(world: WorkersWorld) {
    this.#world = world;
    this.#loops = new SimulatedLoops(world);
  }

  /** Whether an attempt's tool has ever run. */
  hasRun(id: string): boolean {
    return (this.#runs.get(id)?.ran ?? 0) > 0;
  }

  /** Workers that have the message, one after the other. */
  *work(work: StepWork, sentAt: number): Activity {
    let isDead = true;
    for (let delivery = 1; isDead; delivery++) {
      yield;
      isDead = yield* this.#attempt(work, { delivery, sentAt });
    }
  }

  /** The same for a unit. Workers that are presumed dead may still try to store their events. */
  *unit(sent: UnitWork): Activity {
    const log = { last: 0 };
    const late: (() => void)[] = [];
    for (let delivery = 1; ; delivery++) {
      yield;
      const work = delivery === 1 ? sent : workOfUnit(this.#world.truth(), sent.unit);
      if (work === undefined) break;
      const store = this.#unitWriter(log);
      if (delivery > UNIT_DELIVERIES_MAX) {
        store([this.#closed(work, { delivery, because: "lost" })]);
        break;
      }
      const unstored = yield* this.#runUnit(work, { delivery, store });
      if (unstored === undefined) break;
      late.push(() => store(unstored));
    }
    for (const storeLate of late) {
      yield;
      storeLate();
    }
  }

  /** Stores several events together, unless another worker has written events of the unit since this one started. */
  #unitWriter(log: { last: number }): (events: readonly PlanEvent[]) => void {
    let mine = log.last;
    return (events) => {
      if (events.length === 0 || log.last !== mine) return;
      this.#world.store(...events);
      mine = ++log.last;
    };
  }

  /** Returns the events that a worker had not stored when it died; undefined if it has finished. */
  *#runUnit(
    work: UnitWork,
    { delivery, store }: { delivery: number; store: (events: readonly PlanEvent[]) => void },
  ): Generator<undefined, PlanEvent[] | undefined> {
    const course = new UnitCourse(work);
    const isPaused = this.#world.choose(8) === 7;
    let events: PlanEvent[] = [];
    for (let step = isPaused ? undefined : course.take(); step !== undefined; step = course.take()) {
      this.#countRun(`p1/${attemptName(step)}`);
      if (this.#world.choose(12) === 11) return events;
      const outcome = this.#end(step);
      events.push(ofUnit(step, outcome));
      if (outcome.type === "step.succeeded") course.succeeded(step.stepId, outcome.data.output);
      if (this.#world.choose(3) === 2) {
        store(events);
        events = [];
        yield;
      }
      if (this.#world.choose(10) < 9) continue;
      // Its time is over; the steps that it has started continue.
      const kept = course.take();
      if (kept === undefined) break;
      store([...events, this.#closed(work, { delivery, because: "time", kept: [kept.stepId] })]);
      yield;
      store([ofUnit(kept, this.#end(kept))]);
      return undefined;
    }
    if (course.isLeft) events.push(this.#closed(work, { delivery, because: isPaused ? "stop" : "time" }));
    store(events);
    return undefined;
  }

  #end(step: StepWork): PlanEvent {
    const spent = this.#world.spending.use(undefined, this.#world.choose);
    return outcomeOf(step, { ...spent, item: 0 }, this.#world.choose);
  }

  #closed(
    { planId, unit, pool }: UnitWork,
    {
      delivery,
      because,
      kept = [],
    }: { delivery: number; because: UnitClosed["data"]["because"]; kept?: string[] },
  ): PlanEvent {
    const data = { unit, pool, workerId: "w1", because, kept };
    return UnitClosed.create({ planId, at: new Date(0) }, data, String(delivery));
  }

  /** Returns whether its worker has died. */
  *#attempt(
    work: StepWork,
    { delivery, sentAt }: { delivery: number; sentAt: number },
  ): Generator<undefined, boolean> {
    const { stepId, attempt, sentAfter, effect, allowance } = work;
    const { undo, item } = work;
    const id = `p1/${attemptName(work)}`;
    // A budget does not hold back a compensation.
    if (undo !== true) this.#world.spending.send(`${stepId}/${item}/${attempt}`);
    const start = named(
      `${id}/${sentAfter}/started/${delivery}`,
      started(stepId, attempt, { item, undo, delivery }),
    );
    if (effect !== "read" && !(yield* this.#begin(work, start, { delivery, sentAt }))) return false;
    if (effect === "read" && this.#world.choose(2) === 0) this.#world.store(start);
    if (delivery > 1 && allowance !== undefined) {
      // How much the lost worker used is unknown.
      const lost = failed(stepId, attempt, { item, forfeited: wholeOf(allowance), retryable: true });
      this.#world.store(named(`${id}/done`, lost));
      return false;
    }
    const count = this.#countRun(id);
    const spent = this.#world.spending.use(allowance, this.#world.choose);
    yield;
    if (this.#world.choose(12) === 11) {
      count.deaths += 1;
      return true;
    }
    if (work.tool === AGENT_REACT || (work.tool === CODE_RUN && work.effect !== "read")) {
      const end = yield* this.#loops.run(work, spent);
      if (end === "died") count.deaths += 1;
      if (end !== "finished") return end === "died";
    }
    if (effect === "once" && this.#world.choose(6) === 5) {
      const fact = interrupted(stepId, attempt, { item, undo });
      this.#world.store(named(`${id}/interrupted`, fact));
      // The worker that was presumed dead may continue after all.
      if (this.#world.choose(3) < 2) return false;
      yield;
    }
    const outcome = outcomeOf(work, { ...spent, item }, this.#world.choose);
    this.#world.store(named(`${id}/done`, { ...outcome, data: { ...outcome.data, undo } } as PlanEvent));
    assert.ok(effect === "read" || count.ran <= 1 + count.deaths, `${stepId} ran ${count.ran} times`);
    return false;
  }

  #countRun(id: string): { ran: number; deaths: number } {
    const count = this.#runs.get(id) ?? { ran: 0, deaths: 0 };
    this.#runs.set(id, count);
    count.ran += 1;
    return count;
  }

  /** As the executor begins a step with an effect; see services/executor/src/steps/run-step.ts. */
  *#begin(
    work: StepWork,
    start: PlanEvent,
    { delivery, sentAt }: { delivery: number; sentAt: number },
  ): Generator<undefined, boolean> {
    let flow = sentAt;
    for (let isSure = delivery === 1; ; isSure = false) {
      if (!isSure) {
        const plan = this.#world.truth();
        flow = this.#world.flow();
        yield;
        if (!isWorkWanted(plan, work)) return false;
      }
      if (flow === this.#world.flow()) break;
      yield;
    }
    if (work.undo !== true) this.#checkMayStart(work);
    this.#world.store(start);
    return true;
  }

  /**
   * Nothing starts in a paused plan, or in one that was cancelled. A plan is also cancelled when a reviewer rejects it as a
   * whole, but no approval stops a worker that is about to start.
   */
  #checkMayStart({ stepId, item, attempt }: StepWork): void {
    const { pause, conclusion, approvals } = this.#world.truth();
    const state = runOf(this.#world.truth(), { stepId, item })?.state;
    const isRejected = approvals.some(
      ({ kind, decided }) => kind === "plan" && decided?.decision === "reject",
    );
    if (!isRejected)
      assert.notEqual(conclusion?.outcome, "cancelled", `${stepId} starts in a cancelled plan`);
    if (state?.status !== "running" || state.attempt !== attempt || state.startedAt !== undefined) return;
    assert.equal(pause, undefined, `${stepId} starts in a paused plan`);
  }
}

function ofUnit(step: StepWork, outcome: PlanEvent): PlanEvent {
  const data = { ...outcome.data, unit: step.unit };
  return named(`p1/${attemptName(step)}/done`, { ...outcome, data } as PlanEvent);
}

export function named(id: string, event: PlanEvent): PlanEvent {
  return { ...event, id };
}
