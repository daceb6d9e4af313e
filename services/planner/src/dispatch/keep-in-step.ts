/**
 * Keeps a sub-plan paused while its parent is. Pausing a plan pauses its existing sub-plans. A sub-plan that is being handed over
 * at that moment is covered by the component that hands it over: it stores the sub-plan first and checks the parent afterwards,
 * so that one of the two always sees the other.
 */
import {
  type KnownPlan,
  pausedWith,
  PauseRequested,
  PlanEvent,
  type PlanId,
  ResumeRequested,
} from "@planwright/plan";
import { type Bus, flowSubjects, readPlan, refusalOf, STREAMS } from "@planwright/shared/bus";

/** How often the parent may be paused or resumed in between. */
const TRIES_MAX = 5;

type Deps = {
  readonly bus: Bus;
  readonly now: () => Date;
  /** Stores an event unless its subject already has this or another one. */
  readonly store: (event: PlanEvent) => Promise<unknown>;
};

type Pair = { readonly parent: PlanId; readonly child: PlanId };

/**
 * Pauses the sub-plan when its parent is paused, and resumes it with its parent, unless a user paused it.
 *
 * @param isNew - Whether it has just been submitted, so that it cannot have been paused before its parent was.
 */
export async function keepInStep({ bus, now, store }: Deps, pair: Pair, isNew: boolean): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isPaused = await isPausedNow(bus, pair.parent);
    if (isNew && tries === 0 && !isPaused) return;
    const child = await readPlan(bus, pair.child);
    const wanted = changeOf(child, { parent: pair.parent, isPaused, at: now() });
    if (wanted === undefined) return;
    await store(wanted);
  }
}

/** Reads from the leader: a replica may not know of a pause yet. */
async function isPausedNow(bus: Bus, planId: PlanId): Promise<boolean> {
  const message = await bus.manager.streams.getMessage(STREAMS.plans, { last_by_subj: flowSubjects(planId) });
  const event = message === null ? undefined : PlanEvent.safeParse(message.json()).data;
  if (message === null || event === undefined) return false;
  const isBelieved = refusalOf(event, message.subject, message.header) === undefined;
  if (!isBelieved) return (await readPlan(bus, planId))?.pause !== undefined;
  return event.type === "pause.requested";
}

function changeOf(
  child: KnownPlan | undefined,
  { parent, isPaused, at }: { readonly parent: PlanId; readonly isPaused: boolean; readonly at: Date },
): PlanEvent | undefined {
  if (child === undefined || child.conclusion !== undefined) return undefined;
  const { planId, pauses } = child;
  const by = pausedWith(parent);
  if (isPaused && child.pause === undefined) {
    const data = { pause: pauses + 1, reason: "its parent is paused", by };
    return PauseRequested.create({ planId, at }, data);
  }
  if (isPaused || child.pause?.by !== by) return undefined;
  return ResumeRequested.create({ planId, at }, { pause: pauses, by });
}
