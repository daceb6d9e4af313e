// Searches take two ways, by how many plans the tenant and status leave: both must find the same.
import { PlanId } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
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
  readonly parent?: PlanId;
};

function given(index: number): Given {
  const status = index % 3_000 === 7 ? "failed" : index % 2 === 0 ? "succeeded" : "cancelled";
  const tenant = index % 100 === 0 ? "small" : "large";
  const own = { id: `p${index}`, tenant, status, goal: `${WORDS[index % 3]} item ${index}` };
  return index % 50 === 3 ? { ...own, parent: PlanId.parse(`p${(index % 200) - 3}`) } : own;
}

const folder = mkdtempSync(path.join(os.tmpdir(), "planwright-list-"));
const all = Array.from({ length: PLANS }, (_, index) => given(index));
let database: DatabaseSync;

beforeAll(() => {
  const file = path.join(folder, "plans.sqlite");
  database = openProjectionFile({ file, logId: "log", logEnd: PLANS * 10, log });
  const write = prepareWritePlan(database);
  const at = "2026-01-01T00:00:00Z";
  const common = { metadata: {}, submittedAt: at, endedAt: at, done: 1, total: 1, percent: 100, seq: 1 };
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

/** All pages, as ids. */
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
  { tenant: "large", parent: "p50" },
  { tenant: "large", parent: "p50", q: "compare", status: "cancelled" },
  { tenant: "small", parent: "p50" },
  { tenant: "small", q: "translate" },
  { tenant: "small", q: "item 300" },
  { tenant: "small" },
  { tenant: "nobody", q: "item" },
])("finds what fits $tenant $status $parent $q, the newest first", ({ tenant, ...query }) => {
  const words = query.q?.split(" ") ?? [];
  const fits = (plan: Given): boolean =>
    plan.tenant === tenant &&
    (query.status === undefined || plan.status === query.status) &&
    (query.parent === undefined || plan.parent === query.parent) &&
    words.every((word) => plan.goal.split(" ").some((one) => one.startsWith(word)));
  const wanted = all.filter(fits).map(({ id }) => id);
  expect(found({ tenant, ...query })).toEqual(wanted.toReversed());
});
