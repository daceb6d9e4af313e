import { expect, it } from "vitest";
import type { PlanSummary } from "../api/api-types.ts";
import { createNewsReader, type PlanNews } from "./start-notifier.ts";

const OPENED = "2026-01-01T10:00:00.000Z";

function plan(planId: string, more: Partial<PlanSummary> = {}): PlanSummary {
  return {
    planId: planId as PlanSummary["planId"],
    goal: `goal of ${planId}`,
    status: "running",
    ended: false,
    submittedAt: "2026-01-01T09:00:00.000Z",
    progress: { done: 0, total: 1, percent: 0 },
    ...more,
  };
}

const ended = (planId: string, endedAt: string, more: Partial<PlanSummary> = {}) =>
  plan(planId, { status: "succeeded", ended: true, endedAt, ...more });

const reader = (isOfUser = (_plan: PlanSummary) => true) =>
  createNewsReader({ openedAtMs: Date.parse(OPENED), isOfUser });

const ids = ({ approvals, ended: over }: PlanNews) => ({
  approvals: approvals.map(({ planId }) => planId),
  ended: over.map(({ planId }) => planId),
});

it("notifies when a plan begins to need approval, and again the second time (NEWS-1)", () => {
  const { take } = reader();
  const waits = plan("p1", { needsApproval: true });
  expect(ids(take([waits])).approvals).toEqual(["p1"]);
  expect(ids(take([waits])).approvals).toEqual([]);
  expect(ids(take([plan("p1")])).approvals).toEqual([]);
  expect(ids(take([waits])).approvals).toEqual(["p1"]);
});

it("notifies of plans that began to need approval while the connection was lost, but not of earlier ones (NEWS-2)", () => {
  const { take, takeWaiting } = reader();
  const [p1, p2] = ["p1", "p2"].map((id) => plan(id, { needsApproval: true }));
  if (p1 === undefined || p2 === undefined) throw new Error("two plans");
  expect(ids(takeWaiting([p1])).approvals).toEqual([]);
  expect(ids(take([p1])).approvals).toEqual([]);
  expect(ids(takeWaiting([p1, p2])).approvals).toEqual(["p2"]);
});

it("notifies once that a plan has ended, whatever changes in it afterwards (NEWS-1)", () => {
  const { take } = reader();
  take([plan("p1")]);
  const over = ended("p1", "2026-01-01T09:59:00.000Z");
  expect(ids(take([over])).ended).toEqual(["p1"]);
  expect(ids(take([over])).ended).toEqual([]);
});

it("notifies of a plan that was never seen running only if it ended after the page was opened (NEWS-2)", () => {
  const { take } = reader();
  const news = take([
    ended("before", "2026-01-01T09:59:00.000Z"),
    ended("after", "2026-01-01T10:01:00.000Z"),
  ]);
  expect(ids(news).ended).toEqual(["after"]);
});

it("ignores the ends of sub-plans and of other users' plans", () => {
  const { take } = reader(({ submittedBy }) => submittedBy === "acme/ann");
  const endedAt = "2026-01-01T10:01:00.000Z";
  const parent = "p0" as PlanSummary["planId"];
  const news = take([
    ended("hers", endedAt, { submittedBy: "acme/ann" }),
    ended("part", endedAt, { submittedBy: "acme/ann", parent }),
    ended("his", endedAt, { submittedBy: "acme/bob" }),
  ]);
  expect(ids(news).ended).toEqual(["hers"]);
});
