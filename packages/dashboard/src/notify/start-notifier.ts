/** Shows browser notifications of plans that need approval or have ended, based on the changes that the gateway pushes to the page. */
import type { Caller, Live } from "@planwright/client";
import type { PlanSummary } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { coalesce } from "../live/coalesce.ts";
import { NOTIFICATIONS, approvalsNeeded, planEnded, plansFinished } from "./notify-words.ts";
import type { OneTab } from "./one-tab.ts";
import { createNewsReader, type PlanNews } from "./plan-news.ts";

/** One notification. */
export type Told = {
  readonly title: string;
  readonly body: string;
  /** A later notification with the same tag replaces it. */
  readonly tag: string;
  /** The page to which a click leads. */
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
/** More news of one kind at a time are one notification. */
const SINGLE_MAX = 3;
const READ_MS = 2_000;

/** @returns The way to stop. */
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
    // Without an answer, the next change or connection tells.
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
  // If the list is watched already, `onBehind` is not called.
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
