import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import type { PlanSummary } from "../api/api-types.ts";
import { appendOlder, mergeNewest } from "./merge-newest.ts";

const plan = (number: number): PlanSummary => ({
  planId: PlanId.parse(`p${number}`),
  goal: "g",
  status: "running",
  ended: false,
  submittedAt: new Date(number * 1_000).toISOString(),
  progress: { done: 0, total: 0, percent: 0 },
});
const plans = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => plan(from - index));
const ids = (loaded: { plans: readonly PlanSummary[] }) => loaded.plans.map(({ planId }) => planId).join(" ");

it("puts new plans on top and keeps the older ones", () => {
  const merged = mergeNewest(
    { plans: plans(9, 1), nextCursor: "old" },
    { plans: plans(11, 7), nextCursor: "x" },
  );
  expect(ids(merged)).toBe("p11 p10 p9 p8 p7 p6 p5 p4 p3 p2 p1");
  expect(merged.nextCursor).toBe("old");
});

it("drops plans that are no longer on the newest page", () => {
  const fresh = [plan(9), plan(7), plan(6)];
  expect(ids(mergeNewest({ plans: plans(9, 5), nextCursor: "old" }, { plans: fresh, nextCursor: "x" }))).toBe(
    "p9 p7 p6 p5",
  );
  // The list did not show the last plan of the page.
  const shown = { plans: [plan(9), plan(5), plan(2)], nextCursor: "old" };
  expect(ids(mergeNewest(shown, { plans: plans(9, 4), nextCursor: "x" }))).toBe("p9 p8 p7 p6 p5 p4 p2");
});

it("starts a new list when plans in between may be missing, and when there are no older plans", () => {
  const shown = { plans: plans(3, 1), nextCursor: "old" };
  expect(mergeNewest(shown, { plans: plans(9, 7), nextCursor: "x" })).toEqual({
    plans: plans(9, 7),
    nextCursor: "x",
  });
  expect(mergeNewest(shown, { plans: plans(3, 2) })).toEqual({ plans: plans(3, 2), nextCursor: undefined });
  expect(
    mergeNewest({ plans: [], nextCursor: undefined }, { plans: plans(3, 2), nextCursor: "x" }).nextCursor,
  ).toBe("x");
});

it("adds older pages without duplicates", () => {
  expect(ids(appendOlder({ plans: plans(5, 3), nextCursor: "a" }, { plans: plans(3, 1) }))).toBe(
    "p5 p4 p3 p2 p1",
  );
});
