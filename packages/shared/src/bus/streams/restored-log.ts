/**
 * Marks a log that was restored from a backup. Events between the backup and the restore are in no log, so it is
 * unknown whether a step that runs at most once took effect in that time.
 */
import { type GoalSubmitted, type PlanId, partitionOf, PlanEvent, type StepWork } from "@planwright/plan";
import type { Bus } from "../connect-bus.ts";
import { lastMessage, readFromLeader } from "../read-from-leader.ts";
import { itemToken, submissionSubject } from "../subjects/subjects.ts";
import { STREAMS } from "./topology.ts";

/** In the metadata of the stream `PLANS`. */
const SEQUENCE = "planwright_restored_sequence";
const BACKUP_AT = "planwright_backup_at";
/** More than the maximum nesting of sub-plans. */
const ANCESTORS_MAX = 20;

export type RestoredLog = {
  /** The last sequence of the backup. */
  readonly sequence: number;
  /** When the backup was taken, as ISO 8601. */
  readonly backupAt: string;
};

/** Records in the metadata of the log's stream that everything up to this sequence is from a backup. */
export async function markRestored(
  { manager }: Pick<Bus, "manager">,
  { sequence, backupAt }: RestoredLog,
): Promise<void> {
  const { config } = await manager.streams.info(STREAMS.plans);
  const metadata = { ...config.metadata, [SEQUENCE]: String(sequence), [BACKUP_AT]: backupAt };
  await manager.streams.update(STREAMS.plans, { metadata });
}

/** Undefined when the log was never restored. */
export async function readRestored({ manager }: Pick<Bus, "manager">): Promise<RestoredLog | undefined> {
  const { config } = await manager.streams.info(STREAMS.plans);
  const { [SEQUENCE]: sequence, [BACKUP_AT]: backupAt = "" } = config.metadata ?? {};
  return sequence === undefined ? undefined : { sequence: Number(sequence), backupAt };
}

/**
 * Returns whether a step may have acted after the backup, so that it needs a decision before it acts: its plan, or a plan it
 * derives from, was submitted before the backup, and no approval has been requested for the step since the restore.
 */
export async function mayHaveBegunSince(
  bus: Bus,
  { sequence }: RestoredLog,
  run: Pick<StepWork, "planId" | "stepId" | "item" | "undo">,
): Promise<boolean> {
  const { planId, stepId } = run;
  if (!(await comesFromBackup(bus, planId, { sequence }))) return false;
  const asked = `plan.${partitionOf(planId)}.${planId}.w.*.${stepId}.${itemToken(run)}.*.interrupted`;
  const query = { seq: sequence + 1, next_by_subj: asked };
  return (await readFromLeader(bus, STREAMS.plans, query)) === null;
}

/** Whether a plan, or one it derives from, was submitted before the backup. */
export async function comesFromBackup(
  bus: Bus,
  planId: PlanId,
  { sequence }: Pick<RestoredLog, "sequence">,
): Promise<boolean> {
  // Each plan derives from at most one other.
  let id: PlanId | undefined = planId;
  for (let depth = 0; depth < ANCESTORS_MAX && id !== undefined; depth++) {
    const message = await lastMessage(bus, submissionSubject(id));
    if (message === undefined) return false;
    if (message.seq <= sequence) return true;
    const event = PlanEvent.safeParse(message.json());
    id = event.data?.type === "goal.submitted" ? sourceOf(event.data.data) : undefined;
  }
  return false;
}

/** Returns the plan whose dispatcher submitted this one, under an id that it would use again for a repeat. */
function sourceOf({ parent, undoes }: GoalSubmitted["data"]): PlanId | undefined {
  return parent?.planId ?? undoes?.planId;
}
