import { PlanEvent, type PlanId } from "@planwright/plan";
import { type Bus, readLastOfEach, readSubjects, STREAMS, submissionSubject } from "@planwright/shared/bus";
import { planOf } from "./due-plans.ts";

/** Messages that are looked at in one go; the rest is for the next one. */
const MESSAGES_MAX = 5_000;
const LOOKUPS_AT_ONCE = 500;

export type Leftovers = {
  /** Archived plans of which the log holds messages again, such as the late result of a worker that slept. */
  readonly planIds: readonly PlanId[];
  /** From where to look on. */
  readonly next: number;
};

/**
 * Scans the log between two sequences. What ended there has been archived, so there is little:
 * open plans, what is left of archived ones, and what came to those too late.
 */
export async function findLeftovers(
  bus: Bus,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<Leftovers> {
  const { subjects, next } = await readSubjects(bus, { from, before, max: MESSAGES_MAX });
  const candidates = new Set<PlanId>();
  for (const subject of subjects) {
    const planId = planOf(subject);
    if (subject !== submissionSubject(planId)) candidates.add(planId);
  }
  return { planIds: await archivedAmong(bus, [...candidates]), next };
}

async function archivedAmong(bus: Bus, planIds: readonly PlanId[]): Promise<PlanId[]> {
  const archived: PlanId[] = [];
  for (let start = 0; start < planIds.length; start += LOOKUPS_AT_ONCE) {
    const subjects = planIds.slice(start, start + LOOKUPS_AT_ONCE).map(submissionSubject);
    for (const message of await readLastOfEach(bus, STREAMS.plans, subjects)) {
      const event = PlanEvent.safeParse(message.json());
      if (event.data?.type === "plan.archived") archived.push(event.data.planId);
    }
  }
  return archived;
}
