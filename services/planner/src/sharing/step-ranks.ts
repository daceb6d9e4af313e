/**
 * The remaining paths of steps that wait for a slot, in milliseconds, as far as this planner knows the durations of steps.
 *
 * Only the order of steps depends on them, and nothing is stored: a planner that takes over a plan computes them from the plan's
 * state, without the runs of earlier plans.
 */
import {
  kindKey,
  type KnownPlan,
  mergeRuns,
  type PlanEvent,
  type PlanId,
  type RemainingPath,
  remainingPaths,
  runTold,
  type StepId,
  type StepRuns,
} from "@planwright/plan";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";
import type { Message } from "./message-table.ts";

/** The number of step kinds, of all tenants, whose durations are remembered; the kinds that ran longest ago are forgotten. */
const KINDS_MAX = 10_000;
/** With fewer finished steps, no new durations are known. */
const DONE_MIN = 3;
/**
 * Paths are recomputed each time the number of finished steps has grown by this factor: seven times in a plan of 10,000 steps.
 */
const DONE_TIMES = 4;

type Paths = {
  readonly of: ReadonlyMap<StepId, RemainingPath>;
  readonly revision: number;
  readonly steps: number;
  readonly done: number;
};

export class StepRanks {
  readonly #find: (planId: PlanId) => OwnedPlan | undefined;
  /** Absent for plans that never had two steps to choose from. */
  readonly #paths = new WeakMap<OwnedPlan, Paths>();
  readonly #past = new Map<string, StepRuns>();

  /** @param find - The plan if it is decided here. */
  constructor(find: (planId: PlanId) => OwnedPlan | undefined) {
    this.#find = find;
  }

  /**
   * The longest remaining path of the message's steps. For a sub-plan's step, it includes the path of its parent after the
   * sub-plan.
   */
  of({ planId, attempts }: Pick<Message, "planId" | "attempts">): number {
    const owned = this.#find(planId);
    if (owned === undefined) return 0;
    const steps = attempts.map(({ stepId, undo }) =>
      undo === true ? 0 : (this.#path(owned, stepId)?.ms ?? 0),
    );
    return Math.max(...steps) + this.#afterMs(owned);
  }

  /**
   * Forgets the paths of a plan whose steps have changed since they were computed, or that has so many more finished steps that
   * their durations may change the order. Returns whether it did.
   */
  forgetOutdated(owned: OwnedPlan): boolean {
    const paths = this.#paths.get(owned);
    if (paths === undefined) return false;
    const { steps, revision, done } = owned.plan;
    const isSame = steps.size === paths.steps && revision === paths.revision;
    if (isSame && done < Math.max(DONE_MIN, DONE_TIMES * paths.done)) return false;
    return this.#paths.delete(owned);
  }

  /** Remembers how long a step took, if the event reports it. */
  learn({ plan }: Pick<OwnedPlan, "plan">, event: PlanEvent): void {
    const told = runTold(plan, event);
    if (told === undefined) return;
    const key = keyOf(plan, kindKey(told.kind));
    const before = this.#past.get(key);
    // The most recent kinds come last.
    this.#past.delete(key);
    this.#past.set(key, before === undefined ? told.run : mergeRuns(before, told.run));
    if (this.#past.size <= KINDS_MAX) return;
    const [oldest = ""] = this.#past.keys();
    this.#past.delete(oldest);
  }

  #path(owned: OwnedPlan, stepId: StepId): RemainingPath | undefined {
    const known = this.#paths.get(owned);
    if (known !== undefined) return known.of.get(stepId);
    const { plan } = owned;
    const { revision, done, steps } = plan;
    const of = remainingPaths(plan, { get: (kind) => this.#past.get(keyOf(plan, kind)) });
    this.#paths.set(owned, { of, revision, done, steps: steps.size });
    return of.get(stepId);
  }

  /** The time from the end of a sub-plan to the end of the submitted plan; 0 for a plan without a parent. */
  #afterMs({ plan: { goal } }: OwnedPlan): number {
    const parent = goal.parent === undefined ? undefined : this.#find(goal.parent.planId);
    if (goal.parent === undefined || parent === undefined) return 0;
    return (this.#path(parent, goal.parent.stepId)?.afterMs ?? 0) + this.#afterMs(parent);
  }
}

/** Keeps tenants from learning from each other's runs. */
function keyOf({ goal }: KnownPlan, kind: string): string {
  return `${goal.tenant}\n${kind}`;
}
