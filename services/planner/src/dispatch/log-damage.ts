/**
 * The dispatcher's handling of an incomplete log.
 *
 * It is noticed in four ways: an event shows that an earlier one is missing (`LogReading`); decisions are refused repeatedly
 * because the log contains less than was folded from it; the log begins after the plan's first event; or the plan's log ends
 * before the position its owner has read. Events that vanish from the end while the plan has no owner leave no trace: their work
 * is done again, under the same ids.
 */
import { evolve, LogDamaged, noPlan, type Plan } from "@planwright/plan";
import { readTombstone } from "@planwright/shared/archive";
import {
  type Bus,
  appendEvent,
  isDecisionSubject,
  planSubjects,
  readPlanEvents,
  STREAMS,
  type UnknownEntry,
} from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import type { DispatchDeps } from "./execute-command.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** Whether the plan must not continue and its log does not record that yet. */
export function isUnreported({ missing, plan }: OwnedPlan): boolean {
  return missing !== undefined && plan.damage === undefined;
}

/**
 * Reports the damage in the service's log and in the plan's own: the plan ends before anything more is derived from the remaining
 * events.
 */
export async function reportDamage(
  { bus, publish, now, log }: Pick<DispatchDeps, "bus" | "publish" | "now"> & { readonly log: Logger },
  { plan, missing = "" }: OwnedPlan,
): Promise<void> {
  const { planId } = plan;
  // It ended while this planner was suspended; the missing part was archived or deleted.
  if ((await readTombstone(bus, planId)) !== undefined) return;
  log.error({ planId, missing }, "the log of a plan is damaged");
  const data = { reason: `${missing} is missing`, by: "planner" };
  // Another planner may have noticed it too.
  await appendEvent(publish, LogDamaged.create({ planId, at: now() }, data));
}

/** Records which events the log no longer has, if it has fewer than were folded, and what the next decisions have to expect. */
export async function compareWithLog(bus: Bus, owned: OwnedPlan): Promise<void> {
  const { planId, seq } = owned.plan;
  let plan: Plan = noPlan;
  let fence = 0;
  const note = ({ subject, sequence }: UnknownEntry): void => {
    if (isDecisionSubject(subject)) fence = sequence;
  };
  for await (const stored of readPlanEvents(bus, planId, { onUnknown: note })) {
    plan = evolve(plan, stored.event);
    note(stored);
  }
  const told = plan.status === "absent" ? 0 : plan.seq;
  if (told >= seq) return;
  owned.missing ??= `${seq - told} of ${seq} events`;
  owned.fence = fence;
}

/**
 * Records which of these plans had a later event than the log now holds for them.
 *
 * A replica may be behind, so the leader is asked for missing events before anything is concluded.
 */
export async function compareWithEnd(bus: Bus, plans: readonly OwnedPlan[]): Promise<OwnedPlan[]> {
  const cut: OwnedPlan[] = [];
  const compare = async (owned: OwnedPlan): Promise<void> => {
    const known = owned.last;
    const query = { last_by_subj: planSubjects(owned.plan.planId) };
    const shown = await bus.manager.direct.getMessage(STREAMS.plans, query);
    if (shown !== null && shown.seq >= known) return;
    const stored = await bus.manager.streams.getMessage(STREAMS.plans, query);
    if ((stored !== null && stored.seq >= known) || owned.missing !== undefined) return;
    owned.missing = "the end of its log";
    cut.push(owned);
  };
  await Promise.all(plans.filter(({ missing }) => missing === undefined).map(compare));
  return cut;
}

/** Records which of these plans began before the log now does. Ended plans may be gone; open ones may not. */
export async function compareWithStart(bus: Bus, plans: Iterable<OwnedPlan>): Promise<OwnedPlan[]> {
  const { state } = await bus.manager.streams.info(STREAMS.plans);
  const cut: OwnedPlan[] = [];
  for (const owned of plans) {
    if (owned.firstSequence >= state.first_seq || owned.missing !== undefined) continue;
    owned.missing = "the beginning of the log";
    cut.push(owned);
  }
  return cut;
}
