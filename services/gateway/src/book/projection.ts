/**
 * One row for each plan, for lists and searches.
 *
 * Invariants:
 *   PROJECTION-1. The file is a cache of the log: with `position` it says up to where it is complete, and both change in one
 *       transaction.
 *   PROJECTION-2. A row never goes back: of two versions of a plan, the one with the higher `seq` stays.
 */
import type { FeedbackGiven, PlanId, PlanOutline } from "@planwright/plan";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { DatabaseSync } from "node:sqlite";
import { gatherRuns, prepareStepRuns, type ToldRun } from "../figures/step-runs-table.ts";
import { prepareFigures } from "../figures/write-figures.ts";
import { openSpentDays, type SpentDays } from "../quotas/spent-days.ts";
import {
  forgetRows,
  type HideText,
  inTransaction,
  type NotedPlan,
  prepareRemovePlan,
  prepareWritePlan,
} from "./plan-rows.ts";

/** Changes are written together, at the latest this long after the first of them. */
const BATCH_MS = 250;
const RETRY_MS = 1_000;
const FORGET_EVERY_MS = 600_000;

export type Projection = Disposable & {
  /** From where the log has to be read so that every plan that was open is read whole. */
  readonly resumeFrom: number;
  /** Notes a plan's new state; `sequence` is the position of its first event, current or former, in the stream. */
  note(planId: PlanId, outline: PlanOutline, sequence: number): void;
  /** Counts a run of a step, told at `sequence`: once, also when the log is read again. */
  tellRun(told: ToldRun, sequence: number): void;
  readonly spending: Pick<SpentDays, "add" | "of">;
  /** Removes a deleted plan from all lists and single views. */
  remove(planId: PlanId): void;
  /** Records feedback to a plan that has ended. */
  rate(planId: PlanId, feedback: FeedbackGiven["data"]): void;
  /** The log has been taken in up to there. */
  reached(position: number): void;
  /** Writes pending changes, so that later reads are up to date. */
  flush(): void;
  /** Why the last write failed; absent when it did not. */
  readonly fault: string | undefined;
};

type ProjectionOptions = {
  readonly log: Logger;
  /** Plans that ended longer ago leave the list; 0: none do. */
  readonly forgetAfterMs: number;
  readonly now: () => Date;
  /** Values that plans cannot be searched by; default: nothing is hidden. */
  readonly hide?: HideText | undefined;
};

export function createProjection(database: DatabaseSync, options: ProjectionOptions): Projection {
  const { log } = options;
  const waiting = new Map<PlanId, NotedPlan>();
  const ratings = new Map<PlanId, FeedbackGiven["data"]>();
  const removed = new Set<PlanId>();
  let position = readPosition(database);
  const runs = gatherRuns(position);
  const spending = openSpentDays(database, position);
  const write = prepareWrite(database, spending, options.hide);
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
    const isIdle = waiting.size === 0 && ratings.size === 0 && removed.size === 0;
    if (isIdle && position === written) return;
    try {
      write({ plans: waiting.values(), runs: runs.values(), ratings, removed, position });
      for (const told of [waiting, runs, ratings, removed]) told.clear();
      spending.written();
      written = position;
      fault = undefined;
    } catch (error) {
      if (fault === undefined) log.error({ err: error }, "cannot write the list of plans");
      fault = describeError(error);
      schedule(RETRY_MS);
    }
  };
  const forgetting = keepForgetting(database, options);

  return {
    resumeFrom: resumeFrom(database, position),
    note(planId, outline, sequence) {
      waiting.set(planId, { planId, outline, sequence });
      schedule(BATCH_MS);
    },
    tellRun: (told, sequence) => runs.add(told, sequence),
    spending,
    remove(planId) {
      waiting.delete(planId);
      ratings.delete(planId);
      removed.add(planId);
      schedule(BATCH_MS);
    },
    rate(planId, feedback) {
      ratings.set(planId, feedback);
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
      forgetting[Symbol.dispose]();
      database.close();
    },
  };
}

/** Takes plans that ended long ago out of the list, now and every ten minutes. */
function keepForgetting(database: DatabaseSync, { log, forgetAfterMs, now }: ProjectionOptions): Disposable {
  const forget = (): void => {
    try {
      while (forgetRows(database, new Date(now().getTime() - forgetAfterMs)));
    } catch (error) {
      log.warn({ reason: describeError(error) }, "deleted plans stay in the list for now");
    }
  };
  const timer = forgetAfterMs === 0 ? undefined : setInterval(forget, FORGET_EVERY_MS);
  if (timer !== undefined) forget();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function readPosition(database: DatabaseSync): number {
  return Number(database.prepare("SELECT value FROM progress WHERE name = 'position'").get()?.["value"] ?? 0);
}

function resumeFrom(database: DatabaseSync, position: number): number {
  const open = database.prepare("SELECT min(sequence) AS first FROM plans WHERE ended_at IS NULL").get();
  const first = open?.["first"];
  return typeof first === "number" ? Math.min(first, position + 1) : position + 1;
}

type Changes = {
  readonly plans: Iterable<NotedPlan>;
  readonly runs: Iterable<ToldRun>;
  readonly ratings: ReadonlyMap<PlanId, FeedbackGiven["data"]>;
  readonly removed: ReadonlySet<PlanId>;
  readonly position: number;
};

function prepareWrite(
  database: DatabaseSync,
  spending: Pick<SpentDays, "write">,
  hide: HideText | undefined,
) {
  const figures = prepareFigures(database);
  const write = prepareWritePlan(database, { figures, ...(hide === undefined ? {} : { hide }) });
  const remove = prepareRemovePlan(database);
  const addRuns = prepareStepRuns(database);
  const move = database.prepare("UPDATE progress SET value = ? WHERE name = 'position'");
  return ({ plans, runs, ratings, removed, position }: Changes): void =>
    inTransaction(database, () => {
      figures.begin();
      for (const planId of removed) remove(planId);
      for (const noted of plans) write(noted);
      figures.addTotals();
      for (const told of runs) addRuns(told);
      spending.write();
      for (const [planId, feedback] of ratings) figures.rate(planId, feedback);
      move.run(String(position));
    });
}
