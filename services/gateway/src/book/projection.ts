/**
 * One row per plan, for lists and searches.
 *
 * Invariants:
 *   PROJECTION-1. The file is a cache of the log: `position` says up to where it is complete, and both change in one transaction.
 *                 `resume` says from where the log contains the plans that the file leaves out for now.
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
import { progressOf } from "./projection-file.ts";

/** Changes are written in batches, no later than this after the first of them. */
const BATCH_MS = 250;
/** A new open plan is left out of this many batches: if it ends meanwhile, it is written only once. */
const BATCHES_OPEN = 3;
const RETRY_MS = 1_000;
const FORGET_EVERY_MS = 600_000;

export type Projection = Disposable & {
  /** Where to resume reading the log so that every plan that was open is read completely. */
  readonly resumeFrom: number;
  /** Records a plan's new state. */
  note(plan: ToldPlan): void;
  /** Counts a step run reported at `sequence`, only once even if the log is read again. */
  tellRun(told: ToldRun, sequence: number): void;
  readonly spending: Pick<SpentDays, "add" | "of">;
  /** Removes a deleted plan from all lists and single views. */
  remove(planId: PlanId): void;
  /** Records feedback to a plan that has ended. */
  rate(planId: PlanId, feedback: FeedbackGiven["data"]): void;
  /** The log has been applied up to `position`. */
  reached(position: number): void;
  /** Writes pending changes, so that later reads are up to date. */
  flush(): void;
  /** Why the last write failed; absent when it succeeded. */
  readonly fault: string | undefined;
};

export type ToldPlan = Omit<NotedPlan, "outline"> & {
  readonly isEnded: boolean;
  /** Called when the state is written, unless a newer one has been recorded by then. */
  readonly outline: () => PlanOutline;
};

/** With the number of batches that have left the plan out. */
type WaitingPlan = ToldPlan & { readonly batches: number };

type ProjectionOptions = {
  readonly log: Logger;
  /** Plans that ended longer ago leave the list; 0: none do. */
  readonly forgetAfterMs: number;
  readonly now: () => Date;
  /** Values that plans cannot be searched by; default: nothing is hidden. */
  readonly hide?: HideText | undefined;
};

export function createProjection(database: DatabaseSync, options: ProjectionOptions): Projection {
  const waiting = new Map<PlanId, WaitingPlan>();
  const ratings = new Map<PlanId, FeedbackGiven["data"]>();
  const removed = new Set<PlanId>();
  const { position: start, resume } = startOf(database);
  let position = start;
  const runs = gatherRuns(position);
  const spending = openSpentDays(database, position);
  const write = prepareWrite(database, spending, options.hide);
  let written = position;
  let fault: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writeBatch(isSettled);
    }, delayMs);
  };
  const writeBatch = (isDue: (plan: WaitingPlan) => boolean): void => {
    if (waiting.size + ratings.size + removed.size === 0 && position === written) return;
    const { due, early, resumeAt } = divide(waiting.values(), isDue, position);
    try {
      write({ plans: due, runs: runs.values(), ratings, removed, position, resumeAt });
      for (const told of [waiting, runs, ratings, removed]) told.clear();
      for (const plan of early) waiting.set(plan.planId, { ...plan, batches: plan.batches + 1 });
      spending.written();
      written = position;
      fault = undefined;
      if (early.length > 0) schedule(BATCH_MS);
    } catch (error) {
      if (fault === undefined) options.log.error({ err: error }, "cannot write the list of plans");
      fault = describeError(error);
      schedule(RETRY_MS);
    }
  };
  const flush = (): void => writeBatch(() => true);
  const forgetting = keepForgetting(database, options);

  return {
    resumeFrom: resume,
    note(plan) {
      waiting.set(plan.planId, { ...plan, batches: waiting.get(plan.planId)?.batches ?? 0 });
      schedule(BATCH_MS);
    },
    tellRun: (told, sequence) => runs.add(told, sequence),
    spending,
    remove(planId) {
      for (const told of [waiting, ratings]) told.delete(planId);
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

/** Removes plans that ended long ago from the list, now and every ten minutes. */
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

/** The list's position, and where to resume reading the log for plans that have not ended. */
function startOf(database: DatabaseSync) {
  const progress = progressOf(database);
  const position = Number(progress["position"] ?? 0);
  const next = Number(progress["resume"] ?? position + 1);
  const open = database.prepare("SELECT min(sequence) AS first FROM plans WHERE ended_at IS NULL").get();
  const first = open?.["first"];
  return { position, resume: typeof first === "number" ? Math.min(first, next) : next };
}

/** A plan that ends soon is written only once. */
function isSettled({ isEnded, batches }: WaitingPlan): boolean {
  return isEnded || batches >= BATCHES_OPEN;
}

/** The plans that are due; the others, and where to resume reading the log for them. */
function divide(plans: Iterable<WaitingPlan>, isDue: (plan: WaitingPlan) => boolean, position: number) {
  const { due = [], early = [] } = Object.groupBy(plans, (plan) => (isDue(plan) ? "due" : "early"));
  const resumeAt = early.reduce((least, { sequence }) => Math.min(least, sequence), position + 1);
  return { due, early, resumeAt };
}

type Changes = {
  readonly plans: Iterable<WaitingPlan>;
  readonly runs: Iterable<ToldRun>;
  readonly ratings: ReadonlyMap<PlanId, FeedbackGiven["data"]>;
  readonly removed: ReadonlySet<PlanId>;
  readonly position: number;
  /** Where to resume reading the log for the plans that are left out. */
  readonly resumeAt: number;
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
  const move = database.prepare("INSERT OR REPLACE INTO progress VALUES ('position', ?), ('resume', ?)");
  return ({ plans, runs, ratings, removed, position, resumeAt }: Changes): void =>
    inTransaction(database, () => {
      figures.begin();
      for (const planId of removed) remove(planId);
      for (const { planId, outline, sequence } of plans) write({ planId, outline: outline(), sequence });
      figures.addTotals();
      for (const told of runs) addRuns(told);
      spending.write();
      for (const [planId, feedback] of ratings) figures.rate(planId, feedback);
      move.run(String(position), String(resumeAt));
    });
}
