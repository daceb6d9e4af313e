/**
 * The dispatcher's handling of an incomplete log.
 *
 * It is noticed in four ways: a fact shows that one before it is gone (`missingBefore`), decisions are refused time
 * and again because the log tells less than was folded from it, the log begins after the plan's first fact, or the
 * plan's log ends before what its owner has read of it. What vanishes from the end while the plan has no owner shows
 * nothing: what it told of is done again, under the same ids.
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

/** Whether the plan must not continue, and its log does not say so yet. */
export function isUnreported({ missing, plan }: OwnedPlan): boolean {
  return missing !== undefined && plan.damage === undefined;
}

/** Says so, in the service's log and in the plan's own: the plan ends before more is made of what is left. */
export async function reportDamage(
  { bus, publish, now, log }: Pick<DispatchDeps, "bus" | "publish" | "now"> & { readonly log: Logger },
  { plan, missing = "" }: OwnedPlan,
): Promise<void> {
  const { planId } = plan;
  // It ended while this planner slept; what is missing was moved to the archive, or deleted.
  if ((await readTombstone(bus, planId)) !== undefined) return;
  log.error({ planId, missing }, "the log of a plan is damaged");
  const data = { reason: `${missing} is missing`, by: "planner" };
  // Another planner may have noticed it too.
  await appendEvent(publish, LogDamaged.create({ planId, at: now() }, data));
}

/** Notes the events that the log no longer has, if it has fewer than were folded, and what decisions have to expect now. */
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
 * Notes which of these plans had a later fact than the log now holds of them.
 *
 * A replica may be behind, so the leader is asked about missing events before anything is concluded.
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

/** Notes which of these plans began before the log now does. A plan that has ended may be gone, an open one not. */
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
