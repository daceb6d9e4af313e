/**
 * One row for each plan, for lists and searches.
 *
 * Invariants:
 *   R1. The file is a cache of the log: with `position` it says up to where it is complete, and both change in one
 *       transaction.
 *   R2. A row never goes back: of two versions of a plan, the one with the higher `seq` stays.
 */
import type { KnownPlan } from "@planwright/plan";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { DatabaseSync } from "node:sqlite";

/** Changes are written together, at the latest this long after the first of them. */
const BATCH_MS = 250;
const RETRY_MS = 1_000;
/** Lists show the beginning of a goal; searches look into all of it. */
const GOAL_SHOWN_CHARS = 500;
const METADATA_CHARS_MAX = 20_000;

export type Projection = Disposable & {
  /** From where the log has to be read so that every plan that was open is read whole. */
  readonly resumeFrom: number;
  /** Notes a plan's new state; `sequence` is where its first fact stands in the stream. */
  note(plan: KnownPlan, sequence: number): void;
  /** The log has been taken in up to there. */
  reached(position: number): void;
  /** Writes what is waiting, so that what is read next is up to date. */
  flush(): void;
  /** Why the last write failed; absent when it did not. */
  readonly fault: string | undefined;
};

export function createProjection(database: DatabaseSync, log: Logger): Projection {
  const write = prepareWrite(database);
  const waiting = new Map<string, { plan: KnownPlan; sequence: number }>();
  let position = readPosition(database);
  let written = position;
  let fault: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, delayMs);
  };
  const flush = (): void => {
    if (waiting.size === 0 && position === written) return;
    try {
      write([...waiting.values()], position);
      waiting.clear();
      written = position;
      fault = undefined;
    } catch (error) {
      if (fault === undefined) log.error({ err: error }, "the list of plans cannot be written");
      fault = describeError(error);
      schedule(RETRY_MS);
    }
  };

  return {
    resumeFrom: resumeFrom(database, position),
    note(plan, sequence) {
      waiting.set(plan.planId, { plan, sequence });
      schedule(BATCH_MS);
    },
    reached(next) {
      position = Math.max(position, next);
      schedule(BATCH_MS);
    },
    flush,
    get fault() {
      return fault;
    },
    [Symbol.dispose]() {
      flush();
      clearTimeout(timer);
      database.close();
    },
  };
}

function readPosition(database: DatabaseSync): number {
  return Number(database.prepare("SELECT value FROM progress WHERE name = 'position'").get()?.["value"] ?? 0);
}

function resumeFrom(database: DatabaseSync, position: number): number {
  const open = database.prepare("SELECT min(sequence) AS first FROM plans WHERE ended_at IS NULL").get();
  const first = open?.["first"];
  return typeof first === "number" ? Math.min(first, position + 1) : position + 1;
}

function prepareWrite(database: DatabaseSync) {
  const isKnown = database.prepare("SELECT 1 FROM plans WHERE sequence = ?");
  const insert = database.prepare(`
    INSERT INTO plans (sequence, id, tenant, status, outcome, goal, submitted_at, ended_at, done, total, percent, seq)
    VALUES (:sequence, :id, :tenant, :status, :outcome, :goal, :submittedAt, :endedAt, :done, :total, :percent, :seq)`);
  const update = database.prepare(`
    UPDATE plans SET status = :status, outcome = :outcome, ended_at = :endedAt, done = :done, total = :total,
      percent = :percent, seq = :seq
    WHERE sequence = :sequence AND seq < :seq`);
  const words = database.prepare("INSERT INTO plan_words (rowid, id, goal, metadata) VALUES (?, ?, ?, ?)");
  const move = database.prepare("UPDATE progress SET value = ? WHERE name = 'position'");

  return (changed: readonly { plan: KnownPlan; sequence: number }[], position: number): void => {
    database.exec("BEGIN IMMEDIATE");
    try {
      for (const { plan, sequence } of changed) {
        if (isKnown.get(sequence) !== undefined) update.run(changingFields(plan, sequence));
        else {
          insert.run({ ...changingFields(plan, sequence), ...fixedFields(plan) });
          words.run(sequence, plan.planId, plan.goal.goal, metadataText(plan));
        }
      }
      move.run(String(position));
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
}

function fixedFields({ planId, goal, submittedAt }: KnownPlan) {
  return { id: planId, tenant: goal.tenant, goal: goal.goal.slice(0, GOAL_SHOWN_CHARS), submittedAt };
}

function changingFields(
  { status, conclusion, endedAt, done, total, percent, seq }: KnownPlan,
  sequence: number,
) {
  const outcome = endedAt === undefined ? undefined : conclusion?.outcome;
  return { sequence, status, outcome: outcome ?? null, endedAt: endedAt ?? null, done, total, percent, seq };
}

/** Keys and values as words. */
function metadataText({ goal }: KnownPlan): string {
  return JSON.stringify(goal.metadata).slice(0, METADATA_CHARS_MAX);
}
