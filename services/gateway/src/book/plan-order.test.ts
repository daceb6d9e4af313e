// Compares each order of the list, page by page, with the same order computed in memory; it must come from the index, without
// sorting.
import { PlanSort, SortOrder } from "@planwright/api";
import { PlanId, PlannedBy } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPlans, type PlanQuery, selectionOf } from "./list-plans.ts";
import { inTransaction, prepareWritePlan } from "./plan-rows.ts";
import { openProjectionFile } from "./projection-file.ts";

const PLANS = 300;
const START_MS = Date.UTC(2026, 0, 1);

function given(index: number) {
  const isOpen = index % 5 === 0;
  return {
    index,
    planId: PlanId.parse(`p${index}`),
    tenant: index % 10 === 9 ? "theirs" : "ours",
    goal: `${["Zebra", "apple", "Österreich", "  banana"][index % 4]} ${index % 13} of SECRET-${(index * 37) % 100}`,
    status: isOpen ? "running" : index % 3 === 0 ? "failed" : "succeeded",
    strategy: PlannedBy.options[index % 4] ?? "undecided",
    submittedBy: index % 6 === 0 ? undefined : `${index % 2 === 0 ? "Ann" : "bob"}@example.com`,
    submittedAt: new Date(START_MS + index * 1_000).toISOString(),
    endedAt: isOpen ? undefined : new Date(START_MS + index * 1_000 + ((index * 31) % 97)).toISOString(),
    usage: {
      modelCalls: 1,
      inputTokens: (index * 17) % 50,
      outputTokens: 1,
      costUsd: index % 11 === 0 ? null : ((index * 13) % 40) / 1_000,
    },
    total: (index * 7) % 9,
  };
}
type Given = ReturnType<typeof given>;

/** Values that the order must not reveal. */
const hide = (text: string) => text.replaceAll(/SECRET-\d+/g, "[secret]").replaceAll("@example.com", "");
const key = (text: string) => hide(text).trim().toLowerCase();

const VALUES: Readonly<Record<PlanSort, (plan: Given) => string | number>> = {
  started: ({ index }) => index,
  duration: ({ submittedAt, endedAt }) =>
    endedAt === undefined ? -1 : Date.parse(endedAt) - Date.parse(submittedAt),
  cost: ({ usage }) => usage.costUsd ?? -1,
  tokens: ({ usage }) => usage.inputTokens + usage.outputTokens,
  steps: ({ total }) => total,
  status: ({ status }) => status,
  strategy: ({ strategy }) => strategy,
  goal: ({ goal }) => key(goal),
  submittedBy: ({ submittedBy = "" }) => key(submittedBy),
};

const ORDERS = PlanSort.options.flatMap((sort) => SortOrder.options.map((order) => ({ sort, order })));

const folder = mkdtempSync(path.join(os.tmpdir(), "planwright-order-"));
const log = createLogger({ name: "test", level: "silent" });
const all = Array.from({ length: PLANS }, (_, index) => given(index));
let database: DatabaseSync;
let write: ReturnType<typeof prepareWritePlan>;

function note({ planId, index, submittedBy, endedAt, ...plan }: Given, seq = 1): void {
  const outline = {
    ...plan,
    ...(submittedBy === undefined ? {} : { submittedBy }),
    ...(endedAt === undefined ? {} : { endedAt }),
    metadata: {},
    done: 0,
    percent: 0,
    seq,
  };
  inTransaction(database, () => write({ planId, outline, sequence: index * 3 + 1 }));
}

beforeAll(() => {
  const file = path.join(folder, "plans.sqlite");
  database = openProjectionFile({ file, logId: "log", logEnd: PLANS * 10, log });
  write = prepareWritePlan(database, { hide });
  for (const plan of all) note(plan);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function sorted(plans: readonly Given[], { sort, order }: { sort: PlanSort; order: SortOrder }): string[] {
  const value = VALUES[sort];
  const compare = (left: Given, right: Given): number => {
    const [one, other] = [value(left), value(right)];
    if (one !== other) return one < other ? -1 : 1;
    return left.index - right.index;
  };
  const ascending = plans.toSorted(compare).map(({ planId }) => String(planId));
  return order === "asc" ? ascending : ascending.toReversed();
}

function* pagesOf(query: Omit<PlanQuery, "limit">, limit: number): Generator<string[]> {
  let cursor: string | undefined;
  do {
    const page = listPlans(database, { ...query, limit, cursor });
    cursor = page.nextCursor;
    // Redaction does not leave a longer one unchanged.
    expect(cursor ?? "").toMatch(/^[\w-]{0,300}$/);
    yield page.plans.map(({ planId }) => planId);
  } while (cursor !== undefined);
}

describe.each(ORDERS)("sorted by $sort, $order", ({ sort, order }) => {
  it.each([
    { name: "all plans", filter: {}, fits: () => true },
    { name: "those of a status", filter: { status: "failed" as const }, fits: isFailed },
    {
      name: "those of a search",
      filter: { q: "apple" },
      fits: ({ goal }: Given) => goal.startsWith("apple"),
    },
  ])("contains each $name of the tenant once, whatever the page size", ({ filter, fits }) => {
    const ours = all.filter((plan) => plan.tenant === "ours" && fits(plan));
    for (const limit of [7, 200]) {
      const pages = [...pagesOf({ tenant: "ours", ...filter, sort, order }, limit)];
      expect(pages.flat()).toEqual(sorted(ours, { sort, order }));
    }
  });

  it("is read from an index", () => {
    const after = { value: sort === "started" ? 10 : (VALUES[sort](given(1)) ?? 0), sequence: 10 };
    const selection = selectionOf(
      database,
      { tenant: "ours" },
      { select: "*", order: { sort, order }, after },
    );
    const steps = database
      .prepare(`EXPLAIN QUERY PLAN ${selection?.sql}`)
      .all({ ...selection?.values, limit: 10 })
      .map(({ detail }) => String(detail));
    expect(steps.join("\n")).toMatch(/SEARCH plans USING INDEX/);
    expect(steps.join("\n")).not.toContain("TEMP B-TREE");
  });
});

it("keeps its page boundaries while a plan changes and another one is added", () => {
  const query = { tenant: "ours", sort: "tokens", order: "desc" } as const;
  const pages = pagesOf(query, 20);
  const first = pages.next().value ?? [];
  const wanted = sorted(
    all.filter(({ tenant }) => tenant === "ours"),
    query,
  );
  const usage = { modelCalls: 1, inputTokens: 1_000, outputTokens: 0, costUsd: 0 };
  note({ ...given(PLANS + 1), tenant: "ours", usage });
  const [shown] = first;
  const changed = all.find(({ planId }) => planId === shown);
  if (changed === undefined) throw new Error("there is no first plan");
  note({ ...changed, usage }, 2);
  expect([...first, ...[...pages].flat()]).toEqual(wanted);
});

it("does not order plans by values that searches must not reveal", () => {
  const secret = (index: number, goal: string) => ({ ...given(1_000 + index), tenant: "spied", goal });
  for (const plan of [secret(0, "pay SECRET-9"), secret(1, "pay SECRET-1"), secret(2, "pay SECRET-5")])
    note(plan);
  const [ids] = [...pagesOf({ tenant: "spied", sort: "goal", order: "asc" }, 10)];
  expect(ids).toEqual(["p1000", "p1001", "p1002"]);
});

function isFailed({ status }: Given): boolean {
  return status === "failed";
}
