/**
 * Every plan according to the log: a single follower of the whole log folds them all.
 *
 * Open plans and the most recent finished ones are in memory; lists and searches come from a separate file; anything else is read
 * from the log or the archive on request.
 */
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Metrics, PendingApprovals, PlanCount, PlanFilter, PlanPage } from "@planwright/api";
import {
  evolve,
  isEnded,
  type KnownPlan,
  type KnownTimes,
  noPlan,
  type PastPlan,
  type Plan,
  type PlanId,
  type StepRuns,
} from "@planwright/plan";
import { type Bus, logState } from "@planwright/shared/bus";
import { NO_REDACTION, type Redaction } from "@planwright/shared/redaction";
import type { Logger } from "@planwright/shared/service";
import { pendingApprovals } from "../approvals/pending-approvals.ts";
import { createKnownTimes, type KpisQuery } from "../figures/kpis.ts";
import type { FigureTotal } from "../figures/read-totals.ts";
import { viewWithSubPlans } from "../plans/view-with-sub-plans.ts";
import type { SpentDays } from "../quotas/spent-days.ts";
import { usingOf } from "../quotas/using-of.ts";
import { askingOf } from "./ask-projection.ts";
import { createDeletedPlans, type DeletedPlans } from "./deleted-plans.ts";
import { type ExpectedPlan, followPlans, type OnDeleted, type OnFact } from "./follow-plans.ts";
import { createHotPlans, type HotPlans } from "./hot-plans.ts";
import { countPlans, type PlanQuery } from "./list-plans.ts";
import { createListWatchers } from "./list-watchers.ts";
import { createLogReader, type LogCursor, type LogReader } from "./log-reader.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import { type FactsPage, pageOfPlan } from "./page-of-plan.ts";
import { openProjectionFile } from "./projection-file.ts";
import { createProjection, type Projection } from "./projection.ts";
import { createSequenceWaiters, type SequenceWaiters } from "./sequence-waiters.ts";
import { createViewFeeds, type ViewNews } from "./view-feeds.ts";
import { type ListNews, watchList } from "./watch-list.ts";
import { watchPlan } from "./watch-plan.ts";
import { watchView, type WatchViewOptions } from "./watch-view.ts";
import { createWatchers } from "./watchers.ts";

/** How long a list waits for recent submissions before it is returned without them. */
const LISTED_WITHIN_MS = 1_000;

export type PlanBook = AsyncDisposable & {
  /** Resolves once everything stored at startup has been applied. */
  readonly caughtUp: Promise<void>;
  /** Settles when following the log has ended; rejects when it ended unexpectedly. */
  readonly finished: Promise<void>;
  /** Why it is not following the log yet, or no longer; absent when all is well. */
  readonly lag: string | undefined;
  /** The plan's current state, from memory, the log or the archive. Undefined when none of them has it. */
  find(planId: PlanId): Promise<KnownPlan | undefined>;
  /** The plan after that many events; undefined when it has fewer. */
  at(planId: PlanId, seq: number): Promise<KnownPlan | undefined>;
  /** Records where the log stored the plan's first event: requests for the plan wait until it has been read. */
  expect(planId: PlanId, expected: ExpectedPlan): void;
  /** The plan if it is in memory. */
  peek(planId: PlanId): KnownPlan | undefined;
  /** The number of open plans, including those stored but not read back yet. */
  readonly openPlans: number;
  /** The number of one owner's open plans (see `ownersOf`), without sub-plans. */
  openPlansOf(owner: string): number;
  /** The model usage of an owner's plans (see `ownersOf`) in the day and the month that a time belongs to. */
  spentBy: SpentDays["of"];
  /** The tenant that owns the plan. Undefined when unknown or forgotten. */
  tenantOf(planId: PlanId): string | undefined;
  /** See `watchPlan`. */
  watch(options: {
    planId: PlanId;
    after: number;
    signal: AbortSignal;
  }): AsyncGenerator<readonly NumberedEvent[]>;
  /** See `watchView`. */
  watchView(options: WatchViewOptions): AsyncGenerator<ViewNews>;
  /** See `watchList`. */
  watchList(options: { readonly tenant: string; readonly signal: AbortSignal }): AsyncGenerator<ListNews>;
  /** Call this before accepting a watcher. @throws {Problem} `too_many_watchers` */
  refuseWatcherAbove(planId: PlanId): void;
  /** See `pageOfPlan`. */
  page(options: { planId: PlanId; after: number; limit: number }): Promise<FactsPage>;
  /** See `DeletedPlans`. */
  untilErased: DeletedPlans["untilErased"];
  /** One of the plan's open sub-plans, at any depth; undefined when there is none. */
  openSubPlan(planId: PlanId): PlanId | undefined;
  /** Resolves once the log has been applied up to this sequence. */
  reached(sequence: number, signal: AbortSignal): Promise<void>;
  /** Resolves once the plans passed to `expect` are in the list; after a second at the latest. */
  listed(): Promise<void>;
  list(query: Omit<PlanQuery, "waiting">): PlanPage;
  /** The number of a tenant's plans in each of several views. */
  count(tenant: string, views: readonly PlanFilter[]): PlanCount[];
  /** See `pendingApprovals`. */
  pendingApprovals(query: { readonly tenant: string; readonly limit: number }): PendingApprovals;
  /** @throws {Problem} See `createReadKpis`. */
  kpis(query: KpisQuery): Promise<Metrics>;
  /** See `findPastPlans`. */
  pastPlans(like: { readonly tenant: string; readonly goal: string }): PastPlan[];
  /** The durations of a tenant's earlier step runs, by `kindKey`. */
  stepRuns(tenant: string): ReadonlyMap<string, StepRuns>;
  /** The known durations of a tenant's steps (earlier runs, up to a few seconds old) and the workers' slots. */
  knownTimes(tenant: string): KnownTimes;
  /** The metrics of all ended plans, across tenants. */
  totals(): readonly FigureTotal[];
  figures(): {
    readonly plans: ReadonlyMap<string, number>;
    readonly openPlans: number;
    readonly watchers: number;
    readonly position: number;
  };
};

export type PlanBookOptions = {
  /** The folder of the projection's file, created if missing. */
  readonly folder: string;
  /** Called with each event that a plan counts; must not throw. */
  readonly onFact: OnFact;
  /** See {@link OnDeleted}; must not throw. */
  readonly onDeleted: OnDeleted;
  /** Plans that ended longer ago leave the list; 0: none do. */
  readonly forgetAfterMs: number;
  readonly watchersPerPlanMax: number;
  /** How many steps run at a time, by pool; current values. */
  readonly slots: () => ReadonlyMap<string, number>;
  readonly now: () => Date;
  /** Values hidden from any role by these rules are excluded from searches. */
  readonly redaction?: Redaction;
  readonly log: Logger;
};

export async function openPlanBook(bus: Bus, options: PlanBookOptions): Promise<PlanBook> {
  const { log, onFact, onDeleted, watchersPerPlanMax, slots, now } = options;
  const { database, projection } = await openList(bus, options);
  const hot = createHotPlans();
  const reader = createLogReader(bus);
  const watchers = createWatchers({ perPlanMax: watchersPerPlanMax });
  const waiters = createSequenceWaiters(projection.resumeFrom - 1);
  const expected = new Map<PlanId, ExpectedPlan>();
  const deleted = createDeletedPlans();
  const asking = askingOf({ database, projection, hot, find: (planId) => find(planId) });
  const tenantOf = (planId: PlanId) => (deleted.has(planId) ? undefined : asking.tenantOf(planId));
  const listWatchers = createListWatchers();
  const hearing = { watchers, listWatchers, waiters, onFact, onDeleted };
  const taking = { hot, projection, expected, deleted, tenantOf, log, ...hearing };
  const following = await followPlans(bus, taking);

  const find = (planId: PlanId) => findPlan(planId, { hot, reader, deleted, expected, waiters });
  const peek = (planId: PlanId): KnownPlan | undefined => hot.get(planId)?.plan;
  const knownTimes = createKnownTimes({ database, slots, clock: () => performance.now() });
  const feeds = createViewFeeds({
    viewOf: (plan) => viewWithSubPlans({ find, knownTimes }, plan, now().getTime()),
    clock: () => performance.now(),
    spent: threadMs,
  });

  return {
    caughtUp: following.caughtUp,
    finished: following.finished,
    get lag() {
      return following.lag ?? projection.fault;
    },
    find,
    knownTimes,
    at: (planId, seq) => planAt(reader.open(planId), seq),
    expect(planId, plan) {
      if (plan.sequence > waiters.position) expected.set(planId, plan);
    },
    listed: () => listed(expected, waiters),
    get openPlans() {
      return hot.openCount + expected.size;
    },
    peek,
    watch: (options) => watchPlan({ hot, log: reader, watchers, deleted }, options),
    watchView: (options) => watchView({ feeds, watchers, find, peek, deleted }, options),
    watchList: (options) => watchList({ listWatchers, ...asking }, options),
    refuseWatcherAbove: (planId) => watchers.refuseAbove(planId),
    page: (options) => pageOfPlan({ hot, log: reader }, options),
    untilErased: (planId, signal) => deleted.untilErased(planId, signal),
    reached: (sequence, signal) => waiters.until(sequence, signal),
    pendingApprovals: (query) => pendingApprovals(hot.open(), query),
    ...asking,
    tenantOf,
    ...usingOf(projection, { hot, expected }),
    figures() {
      projection.flush();
      const { position } = waiters;
      return { plans: countPlans(database), openPlans: hot.openCount, watchers: watchers.count, position };
    },
    async [Symbol.asyncDispose]() {
      await following[Symbol.asyncDispose]();
      projection[Symbol.dispose]();
    },
  };
}

/** The list of plans, as up to date as its file. */
async function openList(
  bus: Bus,
  { folder, log, forgetAfterMs, now, redaction = NO_REDACTION }: PlanBookOptions,
): Promise<{ readonly database: DatabaseSync; readonly projection: Projection }> {
  const { created, state } = await logState(bus, log);
  const file = path.join(folder, "gateway", "plans.sqlite");
  const logEnd = state.last_seq;
  const database = openProjectionFile({ file, logId: created, logEnd, wordsId: redaction.id, log });
  const hide = (text: string): string => redaction.all.text(text);
  return { database, projection: createProjection(database, { log, forgetAfterMs, now, hide }) };
}

async function listed(
  expected: ReadonlyMap<PlanId, ExpectedPlan>,
  waiters: Pick<SequenceWaiters, "until">,
): Promise<void> {
  if (expected.size === 0) return;
  const late = AbortSignal.timeout(LISTED_WITHIN_MS);
  const last = Math.max(...expected.values().map(({ sequence }) => sequence));
  await waiters.until(last, late).catch(() => undefined);
}

/** Milliseconds of CPU time used by this thread. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function findPlan(
  planId: PlanId,
  {
    hot,
    reader,
    deleted,
    expected,
    waiters,
  }: {
    readonly hot: HotPlans;
    readonly reader: LogReader;
    readonly deleted: DeletedPlans;
    readonly expected: ReadonlyMap<PlanId, ExpectedPlan>;
    readonly waiters: SequenceWaiters;
  },
): Promise<KnownPlan | undefined> {
  await waiters.until(expected.get(planId)?.sequence ?? 0);
  const kept = hot.get(planId);
  if (kept !== undefined) return kept.plan;
  const read = await reader.read(planId);
  // Only plans that the follower has already read: it must see every other plan from its first event.
  const isKept = read !== undefined && isEnded(read.plan) && read.sequence <= waiters.position;
  if (isKept && !deleted.has(planId)) hot.keepEnded(read.plan);
  // The plan may have been deleted while it was being read.
  return deleted.has(planId) ? undefined : (hot.get(planId)?.plan ?? read?.plan);
}

/** Replays a plan's events from the first up to number `seq`; undefined when there are fewer. */
async function planAt(cursor: LogCursor, seq: number): Promise<KnownPlan | undefined> {
  let plan: Plan = noPlan;
  for (;;) {
    const facts = await cursor.next();
    if (facts === undefined) return undefined;
    for (const fact of facts) {
      plan = evolve(plan, fact.event);
      if (fact.seq === seq) return plan.status === "absent" ? undefined : plan;
    }
  }
}
