/** Workers of a simulated world that behave like the executor's code: they begin, act, die, and report. */
import assert from "node:assert/strict";
import { AGENT_REACT } from "../src/language/tool-names.ts";
import { CODE_RUN } from "../src/arguments/code-run.ts";
import { attemptName } from "../src/events/values.ts";
import { wholeOf } from "../src/language/budget.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { followUpWork, resumedWork } from "../src/decide/follow-ups.ts";
import { isWorkWanted } from "../src/decide/is-work-wanted.ts";
import { runOf } from "../src/machine/step/runs.ts";
import type { KnownPlan } from "../src/machine/plan-state.ts";
import type { StepWork } from "../src/events/work.ts";
import type { Choose, TrueSpending } from "./budget-invariants.ts";
import { failed, interrupted, started } from "./facts.ts";
import { outcomeOf } from "./simulated-ends.ts";
import { SimulatedLoops } from "./simulated-loops.ts";

/** An actor at work: it proceeds to its next event each time it is resumed. */
export type Activity = Generator<undefined, void>;

/** The result of an attempt, and the work that its worker, or the next one that gets the message, continues with. */
type Went = { readonly isDead?: true; readonly next?: StepWork | undefined };

/** What workers know about their world. */
export type WorkersWorld = {
  readonly truth: () => KnownPlan;
  /** How many times users have paused, resumed or otherwise controlled the plan. */
  readonly flow: () => number;
  /** Stores events in one message, unless there is one with their ids. Returns whether this one was stored. */
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
    let current: StepWork | undefined = work;
    for (let delivery = 1; current !== undefined; ) {
      yield;
      const went: Went = yield* this.#attempt(current, { delivery, sentAt });
      if (went.isDead) delivery += 1;
      current =
        went.isDead && work.followUps !== undefined ? resumedWork(this.#world.truth(), work) : went.next;
    }
  }

  *#attempt(
    work: StepWork,
    { delivery, sentAt }: { delivery: number; sentAt: number },
  ): Generator<undefined, Went> {
    const { stepId, attempt, sentAfter, effect, allowance, via } = work;
    const { undo, item } = work;
    const id = `p1/${attemptName(work)}`;
    // A budget does not hold back a compensation.
    if (undo !== true) this.#world.spending.send(`${stepId}/${item}/${attempt}`);
    const start = named(
      `${id}/${sentAfter}/started/${delivery}`,
      started(stepId, attempt, { item, via, undo, delivery }),
    );
    if (effect !== "read" && !(yield* this.#begin(work, start, { delivery, sentAt }))) return {};
    if (effect === "read" && this.#world.choose(2) === 0) this.#world.store(start);
    if (delivery > 1 && allowance !== undefined) {
      // How much the lost worker used is unknown.
      const lost = failed(stepId, attempt, { item, forfeited: wholeOf(allowance), retryable: true });
      this.#world.store(named(`${id}/done`, lost));
      return {};
    }
    const count = this.#countRun(id);
    const spent = this.#world.spending.use(allowance, this.#world.choose);
    yield;
    if (this.#world.choose(12) === 11) {
      count.deaths += 1;
      return { isDead: true, next: work };
    }
    if (work.tool === AGENT_REACT || (work.tool === CODE_RUN && work.effect !== "read")) {
      const end = yield* this.#loops.run(work, spent);
      if (end === "died") count.deaths += 1;
      if (end !== "finished") return end === "died" ? { isDead: true, next: work } : {};
    }
    if (effect === "once" && this.#world.choose(6) === 5) {
      const fact = interrupted(stepId, attempt, { item, undo });
      this.#world.store(named(`${id}/interrupted`, fact));
      // The worker that was presumed dead may continue after all.
      if (this.#world.choose(3) < 2) return {};
      yield;
    }
    const outcome = outcomeOf(work, { ...spent, item }, this.#world.choose);
    const isOver = outcome.type !== "step.succeeded" || this.#world.choose(4) === 3;
    const next = isOver ? undefined : followUpWork(work, outcome.data.output);
    const stored = { ...outcome, data: { ...outcome.data, via, undo, next: next?.stepId } } as PlanEvent;
    // Only the worker whose outcome is stored first continues with the next step.
    const isFirst = this.#world.store(named(`${id}/done`, stored));
    assert.ok(effect === "read" || count.ran <= 1 + count.deaths, `${stepId} ran ${count.ran} times`);
    return isFirst ? { next } : {};
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

  /** Nothing starts in a paused plan, or in one that was cancelled. */
  #checkMayStart({ stepId, item, attempt }: StepWork): void {
    const { pause, conclusion } = this.#world.truth();
    const state = runOf(this.#world.truth(), { stepId, item })?.state;
    assert.notEqual(conclusion?.outcome, "cancelled", `${stepId} starts after the plan was cancelled`);
    if (state?.status !== "running" || state.attempt !== attempt || state.startedAt !== undefined) return;
    assert.equal(pause, undefined, `${stepId} starts in a paused plan`);
  }
}

export function named(id: string, event: PlanEvent): PlanEvent {
  return { ...event, id };
}
