import type { PlanId } from "@planwright/plan";
import { expect, it, vi } from "vitest";
import { ApiError } from "../api/api-error.ts";
import type { PlanEvent, PlanView } from "../api/api-types.ts";
import { openPlan } from "./plan-store.ts";
import type { PlanListener } from "./watches.ts";

const view = (seq: number, changes: Partial<PlanView> = {}): PlanView => ({
  planId: "p1" as PlanId,
  traceId: "a".repeat(32),
  trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: true },
  goal: "g",
  status: "running",
  seq,
  revision: 0,
  strategy: "auto",
  constraints: [],
  metadata: {},
  submittedAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  draft: { number: 1, phase: "sealed", issues: [] },
  revisions: [],
  steps: [],
  progress: { done: 0, total: 0, percent: 0, etaMs: null },
  criticalPath: { stepIds: [], durationMs: 0 },
  usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  artifacts: [],
  approvals: [],
  effects: [],
  compensations: [],
  facts: [],
  openQuestions: [],
  factsLeftOut: 0,
  ...changes,
});
const ended = (seq: number) => ({
  seq,
  event: {
    id: "e",
    type: "plan.ended",
    planId: "p1",
    at: "2026-01-01T00:00:01Z",
    data: { outcome: "failed", reason: "no way" },
  } as PlanEvent,
});

function setUp(answer: () => PlanView) {
  const watched: { after: number | undefined; listener: PlanListener }[] = [];
  const store = openPlan("p1", {
    gateway: { plan: async () => answer() },
    live: {
      watch: (_planId, after, listener) => {
        watched.push({ after, listener });
        return () => undefined;
      },
    },
    now: () => performance.now(),
  });
  return { store, watched };
}

it("watches a plan after the fact that its view takes in", async () => {
  const { store, watched } = setUp(() => view(7));
  await vi.waitFor(() => expect(store.state.get().phase).toBe("ready"));
  expect(watched.map(({ after }) => after)).toEqual([7]);
  store.stop();
});

it("shows a fact before the view is read again, and keeps it when a view read too early comes back", async () => {
  let reads = 0;
  const readsWhenShown: number[] = [];
  const { store, watched } = setUp(() => {
    reads += 1;
    return view(7);
  });
  await vi.waitFor(() => expect(watched).toHaveLength(1));
  store.state.subscribe(() => readsWhenShown.push(reads));
  watched[0]?.listener.onEvent(ended(8));
  await vi.waitFor(() => expect(reads).toBe(2));
  expect(readsWhenShown[0]).toBe(1);
  expect(store.state.get()).toMatchObject({ view: { seq: 8, status: "failed" } });
  store.stop();
});

it("does not watch a plan that has ended", async () => {
  const { store, watched } = setUp(() => view(9, { status: "succeeded", endedAt: "2026-01-01T00:00:02Z" }));
  await vi.waitFor(() => expect(store.state.get().phase).toBe("ready"));
  expect(watched).toEqual([]);
  store.stop();
});

it("says why a plan cannot be read, and reads it again when asked to", async () => {
  let missing = true;
  const { store } = setUp(() => {
    if (missing) throw new ApiError("there is no plan p1", { status: 404, code: "plan_not_found" });
    return view(1);
  });
  await vi.waitFor(() => expect(store.state.get()).toMatchObject({ error: { code: "plan_not_found" } }));
  missing = false;
  store.reload();
  await vi.waitFor(() => expect(store.state.get().phase).toBe("ready"));
  store.stop();
});
