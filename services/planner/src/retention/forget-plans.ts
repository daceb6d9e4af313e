import { PlanEvent, type PlanId } from "@planwright/plan";
import type { ArchiveStore } from "@planwright/shared/archive";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import {
  archivedPlans,
  type Bus,
  planSubjects,
  readFromLeader,
  readNext,
  STREAMS,
  submissionSubject,
} from "@planwright/shared/bus";
import { planOf } from "./due-plans.ts";

const BATCH = 256;

export type ForgetDeps = {
  readonly bus: Bus;
  readonly archives: ArchiveStore;
  readonly artifacts: ArtifactStore;
};

/**
 * Deletes plans that were archived before a time: their files, what is left of them in the log, and last their
 * archive, by which they are found again when we die in between.
 *
 * @returns How many were deleted; less than 256 when none is left to delete.
 */
export async function forgetPlans(deps: ForgetDeps, before: Date): Promise<number> {
  const query = { seq: 1, next_by_subj: archivedPlans("*"), batch: BATCH };
  const heads = await readNext(deps.bus, STREAMS.archive, query);
  const planIds = heads.filter(({ time }) => time < before).map(({ subject }) => planOf(subject));
  for (const planId of planIds) await forget(deps, planId);
  return planIds.length;
}

async function forget({ bus, archives, artifacts }: ForgetDeps, planId: PlanId): Promise<void> {
  const head = await archives.head(planId);
  const left = await readFromLeader(bus, STREAMS.plans, {
    last_by_subj: submissionSubject(planId),
  });
  const isArchived = left !== null && PlanEvent.safeParse(left.json()).data?.type === "plan.archived";
  // A submission that stands there is a new plan under an old key, and its files are its own.
  if (isArchived || left === null) await artifacts.removeAll(planId);
  if (isArchived) await bus.manager.streams.purge(STREAMS.plans, { filter: planSubjects(planId) });
  if (head !== undefined) await archives.remove(planId, { upTo: head });
}
