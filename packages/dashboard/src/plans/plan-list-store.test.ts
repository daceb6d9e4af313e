import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import type { PlanSummary } from "../api/api-types.ts";
import { NEWEST_FIRST } from "./list-order.ts";
import { takeChanges } from "./plan-list-store.ts";

const plan = (number: number, more: Partial<PlanSummary> = {}): PlanSummary => ({
  planId: PlanId.parse(`p${number}`),
  goal: "g",
  status: "running",
  ended: false,
  submittedAt: new Date(number * 1_000).toISOString(),
  progress: { done: 0, total: 1, percent: 0 },
  ...more,
});
const shown = [plan(3), plan(2), plan(1)];
const ids = ({ plans }: { plans: readonly PlanSummary[] }) => plans.map(({ planId }) => planId).join(" ");
const byCost = { sort: "cost", order: "desc" } as const;

it("replaces changed plans in place, removes deleted ones, and reports new ones", () => {
  const changed = { plans: [plan(2, { status: "paused" }), plan(4)], removed: [PlanId.parse("p1")] };
  const taken = takeChanges(shown, changed, { filter: {}, order: NEWEST_FIRST });
  expect(ids(taken)).toBe("p3 p2");
  expect(taken.plans[1]?.status).toBe("paused");
  expect(taken.plans[0]).toBe(shown[0]);
  expect(taken.misplaced).toEqual(["p4"]);
});

it("drops plans that no longer match the filter, and ignores new ones that cannot match it", () => {
  const changed = {
    plans: [plan(2, { status: "failed", ended: true }), plan(4, { ended: true })],
    removed: [],
  };
  const taken = takeChanges(shown, changed, { filter: { status: "open" }, order: NEWEST_FIRST });
  expect([ids(taken), taken.misplaced]).toEqual(["p3 p1", []]);
  const failed = takeChanges(shown, changed, { filter: { status: "failed" }, order: NEWEST_FIRST });
  expect([ids(failed), failed.misplaced]).toEqual(["p3 p2 p1", []]);
});

it("moves nothing in a sorted list, and reports the plans whose position has changed", () => {
  const changed = { plans: [plan(3, { costUsd: 2 }), plan(2, { status: "paused" }), plan(4)], removed: [] };
  const taken = takeChanges(shown, changed, { filter: {}, order: byCost });
  expect(ids(taken)).toBe("p3 p2 p1");
  expect(taken.misplaced).toEqual(["p3", "p4"]);
  const filtered = takeChanges(shown, changed, { filter: { status: "running" }, order: byCost });
  expect([ids(filtered), filtered.misplaced]).toEqual(["p3 p2 p1", ["p3", "p2", "p4"]]);
});
