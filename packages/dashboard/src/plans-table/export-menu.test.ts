import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import type { PlanSummary } from "../api/api-types.ts";
import { parseCsv } from "../values/artifact-view.tsx";
import { EXPORTED_MAX, exportOf, plansToExport } from "./export-menu.tsx";

const plan = (number: number, more: Partial<PlanSummary> = {}): PlanSummary => ({
  planId: PlanId.parse(`p${number}`),
  goal: "g",
  status: "running",
  ended: false,
  submittedAt: "2026-01-31T10:00:00.000Z",
  progress: { done: 1, total: 2, percent: 50 },
  ...more,
});
const goalIn = (goal: string) =>
  exportOf([plan(1, { goal })], "csv")
    .split("\r\n")
    .slice(1)
    .join("\r\n");

it("writes a line for each plan, and an empty cell for an unknown value", () => {
  const ended = { submittedBy: "ann", durationMs: 5, tokens: 10, costUsd: 0.5, status: "failed" } as const;
  expect(exportOf([plan(1, ended), plan(2)], "csv")).toBe(
    "planId,goal,status,answerStatus,strategy,submittedBy,submittedAt,endedAt,durationMs,stepsDone,steps,tokens,costUsd,parent\r\n" +
      "p1,g,failed,,,ann,2026-01-31T10:00:00.000Z,,5,1,2,10,0.5,\r\n" +
      "p2,g,running,,,,2026-01-31T10:00:00.000Z,,,1,2,,,\r\n",
  );
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\n=1", "\t=1", "\tx", "＝1"])(
  "writes %j as a text that no spreadsheet runs",
  (goal) => {
    const [, row] = parseCsv(exportOf([plan(1, { goal, submittedBy: goal })], "csv"))?.rows ?? [];
    expect(row ?? goalIn(goal)).toBeDefined();
    expect(goalIn(goal)).toMatch(/^p1,"?'/);
  },
);

it.each([
  ["a, b", '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["it's = fine", "it's = fine"],
])("writes %j as %s", (goal, cell) => {
  expect(goalIn(goal).startsWith(`p1,${cell},running`)).toBe(true);
});

it("writes JSON as the API does", () => {
  expect(JSON.parse(exportOf([plan(1, { goal: "=1" })], "json"))).toEqual([plan(1, { goal: "=1" })]);
});

it("reads page by page to the end, and each plan once", async () => {
  const first = { plans: [plan(1), plan(2)], nextCursor: "2" };
  const last = { plans: [plan(2), plan(3)] };
  const { plans, more } = await plansToExport((cursor) => Promise.resolve(cursor === "2" ? last : first));
  expect([plans.map(({ planId }) => planId), more]).toEqual([["p1", "p2", "p3"], false]);
});

it("stops at its limit, and says so", async () => {
  let next = 0;
  const { plans, more } = await plansToExport(() => {
    next += 200;
    return Promise.resolve({
      plans: Array.from({ length: 200 }, (_, index) => plan(next + index)),
      nextCursor: String(next),
    });
  });
  expect([plans.length, more]).toEqual([EXPORTED_MAX, true]);
  expect(next).toBeLessThanOrEqual(EXPORTED_MAX + 400);
});
