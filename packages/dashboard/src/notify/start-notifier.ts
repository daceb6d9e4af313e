/** Shows browser notifications of plans that need approval or have ended, based on the changes that the gateway pushes. */
import type { Caller, Live } from "@planwright/client";
import type { PlanSummary } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { coalesce } from "../live/coalesce.ts";
import { NOTIFICATIONS, approvalsNeeded, planEnded, plansFinished } from "./notify-words.ts";
import type { OneTab } from "./one-tab.ts";

/** One notification. */
export type Told = {
  readonly title: string;
  readonly body: string;
  /** A later notification with the same tag replaces it. */
  readonly tag: string;
  /** The page that a click opens. */
  readonly href: string;
};

type NotifierDeps = {
  readonly gateway: Pick<Gateway, "plans">;
  readonly live: Pick<Live, "watchPlans">;
  readonly caller: Caller;
  readonly oneTab: Pick<OneTab, "mayNotify">;
  readonly show: (told: Told) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

const WAITING_MAX = 200;
/** If there is more news of one kind at a time, it is merged into one notification. */
const SINGLE_MAX = 3;
const READ_MS = 2_000;

/** @returns A function that stops the notifier. */
export function startNotifier({ gateway, live, caller, oneTab, show, now }: NotifierDeps): () => void {
  const { identity, decisions } = caller;
  const news = createNewsReader({
    openedAtMs: now(),
    // Without credentials, plans have no owner.
    isOfUser: ({ submittedBy }) => identity === undefined || submittedBy === identity,
  });
  const closing = new AbortController();
  const tell = async ({ approvals, ended }: PlanNews): Promise<void> => {
    const told = [...(decisions.length > 0 ? toldOfApprovals(approvals) : []), ...toldOfEnded(ended)];
    if (told.length === 0 || !(await oneTab.mayNotify()) || closing.signal.aborted) return;
    for (const one of told) show(one);
  };
  const read = async (): Promise<void> => {
    const query = { needs: "approval", limit: WAITING_MAX };
    // If this fails, the next change or connection triggers it again.
    const page = await gateway.plans(query, closing.signal).catch(() => undefined);
    if (page !== undefined && !closing.signal.aborted) await tell(news.takeWaiting(page.plans));
  };
  const waiting = coalesce(read, { intervalMs: () => READ_MS, now });
  const unwatch = live.watchPlans({
    onPlans: ({ plans, more }) => {
      void tell(news.take(plans));
      if (more) waiting.request();
    },
    onBehind: waiting.request,
  });
  // If the list is already watched, `onBehind` is not called.
  waiting.request();
  return () => {
    closing.abort();
    waiting.stop();
    unwatch();
  };
}

function toldOfApprovals(plans: readonly PlanSummary[]): Told[] {
  if (plans.length > SINGLE_MAX) {
    const title = approvalsNeeded(plans.length);
    return [{ title, body: NOTIFICATIONS.approvalsPage, tag: "planwright approvals", href: "/approvals" }];
  }
  return plans.map(({ planId, goal }) => ({
    title: NOTIFICATIONS.approvalNeeded,
    body: goal,
    tag: tagOf(planId),
    href: hrefOf(planId),
  }));
}

function toldOfEnded(plans: readonly PlanSummary[]): Told[] {
  if (plans.length > SINGLE_MAX) {
    const title = plansFinished(plans.length);
    return [{ title, body: NOTIFICATIONS.plansPage, tag: "planwright plans", href: "/plans" }];
  }
  return plans.map((plan) => ({
    title: planEnded(plan),
    body: plan.goal,
    // It also replaces the notification that the plan needs approval.
    tag: tagOf(plan.planId),
    href: hrefOf(plan.planId),
  }));
}

function tagOf(planId: string): string {
  return `planwright plan ${planId}`;
}

function hrefOf(planId: string): string {
  return `/plans/${encodeURIComponent(planId)}`;
}

/**
 * Derives notifications from changes to the list of plans.
 *
 * Invariants:
 *   NEWS-1. A plan is news when it begins to need approval, and once when it ends.
 *   NEWS-2. Approvals and ends from before the page was opened are not news.
 */
export type PlanNews = {
  readonly approvals: readonly PlanSummary[];
  readonly ended: readonly PlanSummary[];
};

type NewsReader = {
  /** Takes changed plans. */
  readonly take: (changed: readonly PlanSummary[]) => PlanNews;
  /** Takes all plans that need approval now. Those of the first call are not news. */
  readonly takeWaiting: (waiting: readonly PlanSummary[]) => PlanNews;
};

type NewsReaderOptions = {
  /** When the page was opened, in milliseconds since the epoch. */
  readonly openedAtMs: number;
  /** Whether the user wants a notification that this plan has ended. */
  readonly isOfUser: (plan: PlanSummary) => boolean;
};

const ENDED_MAX = 1_000;

export function createNewsReader({ openedAtMs, isOfUser }: NewsReaderOptions): NewsReader {
  let waiting: ReadonlySet<string> | undefined;
  const open = new Set<string>();
  /** Ended plans that can change again, for example by a rating. */
  const ended = new Set<string>();

  const isNewEnd = ({ planId, endedAt }: PlanSummary): boolean => {
    if (endedAt === undefined || ended.has(planId)) return false;
    remember(ended, planId);
    return open.delete(planId) || Date.parse(endedAt) >= openedAtMs;
  };
  return {
    take(changed) {
      const before = waiting ?? new Set();
      const now = new Set(before);
      for (const { planId, needsApproval = false, ended: isEnded } of changed) {
        if (needsApproval) now.add(planId);
        else now.delete(planId);
        if (!isEnded) open.add(planId);
      }
      waiting = now;
      return {
        approvals: changed.filter(({ planId }) => now.has(planId) && !before.has(planId)),
        // The parent plan reports how its sub-plans ended.
        ended: changed.filter((plan) => isNewEnd(plan) && plan.parent === undefined && isOfUser(plan)),
      };
    },
    takeWaiting(plans) {
      const before = waiting;
      waiting = new Set(plans.map(({ planId }) => planId));
      return {
        approvals: before === undefined ? [] : plans.filter(({ planId }) => !before.has(planId)),
        ended: [],
      };
    },
  };
}

/** Drops the oldest first. */
function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > ENDED_MAX && oldest !== undefined) ids.delete(oldest);
}
