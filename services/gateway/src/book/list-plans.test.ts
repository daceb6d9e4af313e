// Searches have two strategies, depending on how many plans the tenant and status leave: both must find the same plans.
import { COUNTED_MAX, PlanFilter } from "@planwright/api";
import { NO_USAGE, Outcome, PlanId, PlannedBy } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countView } from "./ask-projection.ts";
import { listPlans, type PlanQuery } from "./list-plans.ts";
import { inTransaction, prepareWritePlan } from "./plan-rows.ts";
import { openProjectionFile } from "./projection-file.ts";

const PLANS = 12_000;
const WORDS = ["compare", "summarize", "translate"];
const log = createLogger({ name: "test", level: "silent" });

type Given = {
  readonly id: string;
  readonly tenant: string;
  readonly status: string;
  readonly goal: string;
  readonly strategy: PlannedBy;
  readonly submittedAt: string;
  readonly endedAt?: string;
  readonly outcome?: Outcome;
  readonly parent?: PlanId;
};

function given(index: number): Given {
  const open = index % 500 === 11;
  const status = open
    ? "running"
    : index % 3_000 === 7
      ? "failed"
      : index % 2 === 0
        ? "succeeded"
        : "cancelled";
  const tenant = index % 100 === 0 ? "small" : "large";
  const own = { id: `p${index}`, tenant, status, goal: `${WORDS[index % 3]} item ${index}` };
  const strategy = PlannedBy.options[index % 7] ?? "undecided";
  // One plan per minute, each stamped by a clock that is off by up to a few minutes.
  const submittedAt = at(index + (index % 2 === 0 ? 4 : -4));
  const plan = {
    ...own,
    strategy,
    submittedAt,
    ...(open ? {} : { endedAt: at(index + 10), outcome: Outcome.parse(status) }),
  };
  return index % 50 === 3 ? { ...plan, parent: PlanId.parse(`p${(index % 200) - 3}`) } : plan;
}

function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}

/** NaN, which lies in no range, for an open plan. */
function endOf({ endedAt = "" }: Given): number {
  return Date.parse(endedAt);
}

const folder = mkdtempSync(path.join(os.tmpdir(), "planwright-list-"));
/** Plans with different tenants and statuses. */
const WAITING = ["p11", "p300", "p511", "p700", "p12"];
const all = Array.from({ length: PLANS }, (_, index) => given(index));
let database: DatabaseSync;

beforeAll(() => {
  const file = path.join(folder, "plans.sqlite");
  database = openProjectionFile({ file, logId: "log", logEnd: PLANS * 10, log });
  const write = prepareWritePlan(database);
  const common = { metadata: {}, usage: NO_USAGE, done: 1, total: 1, percent: 100, seq: 1 };
  inTransaction(database, () => {
    for (const [index, { id, ...fields }] of all.entries()) {
      write({ planId: PlanId.parse(id), sequence: index * 5 + 1, outline: { ...common, ...fields } });
    }
  });
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The ids from all pages. */
function found(query: Omit<PlanQuery, "limit">): string[] {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = listPlans(database, { ...query, limit: 1_000, cursor });
    ids.push(...page.plans.map(({ planId }) => planId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

it.each([
  { tenant: "large", q: "compare" },
  { tenant: "large", q: "summ" },
  { tenant: "large", q: "compare", status: "succeeded" },
  { tenant: "large", q: "item", status: "failed" },
  { tenant: "large", q: "translate", status: "failed" },
  { tenant: "large", q: "item", status: "running" },
  { tenant: "large", status: "failed" },
  { tenant: "large", status: "open" },
  { tenant: "large", status: "open", q: "compare" },
  { tenant: "large", strategy: "code" },
  { tenant: "large", strategy: "code", status: "failed", q: "translate" },
  { tenant: "large", since: at(11_900) },
  { tenant: "large", since: "2026-01-09T02:00:00+02:00", status: "failed" },
  { tenant: "large", since: at(11_000), q: "compare" },
  { tenant: "large", since: at(12_100) },
  { tenant: "large", endedSince: at(11_000), endedBefore: at(11_100) },
  { tenant: "large", endedBefore: at(100), status: "cancelled", subPlans: "none" },
  { tenant: "large", endedSince: at(11_900), q: "compare" },
  { tenant: "small", outcome: "succeeded", endedSince: at(11_000) },
  { tenant: "large", outcome: "failed" },
  { tenant: "large", needs: "approval", status: "open" },
  { tenant: "large", needs: "approval", q: "item" },
  { tenant: "large", parent: "p50" },
  { tenant: "large", parent: "p50", q: "compare", status: "cancelled" },
  { tenant: "small", parent: "p50" },
  { tenant: "large", id: "p115" },
  { tenant: "large", id: "p53", q: "translate", status: "cancelled" },
  { tenant: "large", id: "P115" },
  { tenant: "small", id: "p115" },
  { tenant: "small", q: "translate" },
  { tenant: "small", q: "item 300" },
  { tenant: "small" },
  { tenant: "nobody", q: "item" },
])(
  "finds matches of $tenant $status $strategy $since $needs $parent $id $q, newest first, and counts the same number",
  ({ tenant, ...said }) => {
    const query = PlanFilter.parse(said);
    const words = query.q?.split(" ") ?? [];
    const fits = (plan: Given): boolean =>
      plan.tenant === tenant &&
      (query.status === undefined ||
        (query.status === "open" ? plan.endedAt === undefined : plan.status === query.status)) &&
      (query.strategy === undefined || plan.strategy === query.strategy) &&
      (query.since === undefined || Date.parse(plan.submittedAt) >= Date.parse(query.since)) &&
      (query.endedSince === undefined || endOf(plan) >= Date.parse(query.endedSince)) &&
      (query.endedBefore === undefined || endOf(plan) < Date.parse(query.endedBefore)) &&
      (query.outcome === undefined || (plan.endedAt !== undefined && plan.status === query.outcome)) &&
      (query.subPlans === undefined || plan.parent === undefined) &&
      (query.needs === undefined || WAITING.includes(plan.id)) &&
      (query.parent === undefined || plan.parent === query.parent) &&
      plan.id.startsWith(query.id ?? "") &&
      words.every((word) => plan.goal.split(" ").some((one) => one.startsWith(word)));
    const matching = all.filter(fits);
    const wanted = matching.map(({ id }) => id);
    const asked = { tenant, ...query, waiting: WAITING.map((id) => PlanId.parse(id)) };
    expect(found(asked)).toEqual(wanted.toReversed());
    // A sub-plan counts only where the filter selects sub-plans or pending approvals.
    const countsSubPlans = [query.parent, query.needs, query.id].some((one) => one !== undefined);
    const counted = matching.filter(({ parent }) => countsSubPlans || parent === undefined).length;
    const count = Math.min(counted, COUNTED_MAX);
    expect(countView(database, asked)).toEqual({ count, more: counted > COUNTED_MAX });
  },
);
