import type { DatabaseSync } from "node:sqlite";
import { COUNTED_MAX, type PlanCount, type PlanSummary } from "@planwright/api";
import { PlanId } from "@planwright/plan";
import { needsApproval, plansThatWait } from "../approvals/pending-approvals.ts";
import { createReadKpis } from "../figures/kpis.ts";
import { readTotals } from "../figures/read-totals.ts";
import type { FindPlan } from "../figures/slowest-steps.ts";
import { readStepRuns } from "../figures/step-runs-table.ts";
import { findPastPlans } from "../learning/find-past-plans.ts";
import type { HotPlans } from "./hot-plans.ts";
import { listPlans, selectionOf, summariesOf } from "./list-plans.ts";
import type { PlanBook } from "./plan-book.ts";
import type { TenantFilter } from "./plan-filter.ts";
import type { Projection } from "./projection.ts";

/** The depth of sub-plans is limited; UNION keeps the query finite whatever the rows contain. */
const OPEN_BELOW = `
  WITH RECURSIVE below (id, ended_at) AS (
    SELECT id, ended_at FROM plans WHERE parent = ?
    UNION SELECT plans.id, plans.ended_at FROM plans JOIN below ON plans.parent = below.id
  )
  SELECT id FROM below WHERE ended_at IS NULL LIMIT 1`;

/** Answers queries from the up-to-date file, and pending approvals from memory. */
export function askingOf({
  database,
  projection,
  hot,
  find,
}: {
  readonly database: DatabaseSync;
  readonly projection: Pick<Projection, "flush">;
  readonly hot: Pick<HotPlans, "open" | "get">;
  readonly find: FindPlan;
}): Pick<
  PlanBook,
  "list" | "count" | "kpis" | "pastPlans" | "stepRuns" | "totals" | "openSubPlan" | "tenantOf"
> & {
  /** A tenant's plans, as shown in the list. Plans that are not in the list are left out. */
  readonly summariesOf: (tenant: string, planIds: readonly PlanId[]) => readonly PlanSummary[];
} {
  const tenantById = database.prepare("SELECT tenant FROM plans WHERE id = ?");
  const readKpis = createReadKpis(database, find);
  const openBelow = database.prepare(OPEN_BELOW);
  const upToDate = (): DatabaseSync => {
    projection.flush();
    return database;
  };
  /** The file does not know which plans need approval, but every open plan is in memory. */
  const withApproval = (summary: PlanSummary): PlanSummary => {
    const plan = summary.ended ? undefined : hot.get(summary.planId)?.plan;
    return plan !== undefined && needsApproval(plan) ? { ...summary, needsApproval: true } : summary;
  };
  return {
    list(query) {
      const waiting = query.needs === undefined ? undefined : plansThatWait(hot.open(), query.tenant);
      const page = listPlans(upToDate(), { ...query, waiting });
      return { ...page, plans: page.plans.map(withApproval) };
    },
    summariesOf: (tenant, planIds) => summariesOf(upToDate(), { tenant, planIds }).map(withApproval),
    tenantOf(planId) {
      const kept = hot.get(planId)?.plan.goal.tenant;
      const row = kept ?? tenantById.get(planId)?.["tenant"];
      return row === undefined ? undefined : String(row);
    },
    count(tenant, views) {
      const waiting = views.some(({ needs }) => needs !== undefined) ? plansThatWait(hot.open(), tenant) : [];
      const current = upToDate();
      return views.map((view) => countView(current, { ...view, tenant, waiting }));
    },
    kpis(query) {
      upToDate();
      return readKpis(query);
    },
    pastPlans: (like) => findPastPlans(upToDate(), like),
    stepRuns: (tenant) => readStepRuns(upToDate(), tenant),
    totals: () => readTotals(upToDate()),
    openSubPlan(planId) {
      upToDate();
      const row = openBelow.get(planId);
      return row === undefined ? undefined : PlanId.parse(row["id"]);
    },
  };
}

/**
 * Counts the plans of a view. Sub-plans count only when the view selects a plan's sub-plans or plans that need approval;
 * otherwise they are part of their parent.
 */
export function countView(database: DatabaseSync, filter: TenantFilter): PlanCount {
  const rootsOnly = [filter.parent, filter.needs, filter.id].every((one) => one === undefined);
  const selection = selectionOf(database, { ...filter, rootsOnly }, { select: "1" });
  if (selection === undefined) return { count: 0, more: false };
  const found = database
    .prepare(`SELECT count(*) AS plans FROM (${selection.sql})`)
    .get({ ...selection.values, limit: COUNTED_MAX + 1 });
  const plans = Number(found?.["plans"]);
  return { count: Math.min(plans, COUNTED_MAX), more: plans > COUNTED_MAX };
}
