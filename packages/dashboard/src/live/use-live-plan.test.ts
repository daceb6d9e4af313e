import type { PlanId } from "@planwright/plan";
import { expect, it, vi } from "vitest";
import { type ConnectionState, ProblemError, type ViewChanges, type ViewListener } from "@planwright/client";
import type { JsonChange } from "@planwright/plan/json-changes";
import type { PlanView } from "../api/api-types.ts";
import { createStore } from "../ui/create-store.ts";
import { openPlan } from "./use-live-plan.ts";

const view = (seq: number, changes: Partial<PlanView> = {}): PlanView => ({
  planId: "p1" as PlanId,
  traceId: "a".repeat(32),
  trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: true },
  goal: "g",
  status: "running",
  ended: false,
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

function setUp(answer: () => PlanView) {
  const watched: { after: number; viewer: ViewListener }[] = [];
  const frames: (() => void)[] = [];
  const connection = createStore<ConnectionState>("open");
  const reads = vi.fn<() => Promise<PlanView>>(async () => answer());
  const store = openPlan("p1", {
    gateway: { plan: reads },
    live: {
      connection,
      watchView: (_planId, after, viewer) => {
        watched.push({ after, viewer });
        return () => undefined;
      },
    },
    now: () => performance.now(),
    heard: () => undefined,
    frame: (callback) => {
      frames.push(callback);
      return () => undefined;
    },
  });
  const ready = () => expect.poll(() => store.state.get().phase).toBe("ready");
  const shown = () => {
    const state = store.state.get();
    if (state.phase !== "ready") throw new Error(`the plan is ${state.phase}`);
    return state.view;
  };
  const nextFrame = () => {
    for (const callback of frames.splice(0)) callback();
  };
  return { store, watched, ready, shown, nextFrame, frames, reads };
}

const change = (after: number, seq: number, ...changes: JsonChange[]): ViewChanges => ({
  after,
  seq,
  changes: [[["seq"], seq], ...changes],
});

it("watches a plan after the last event of its view, without reading it again", async () => {
  const { store, watched, ready, reads } = setUp(() => view(7));
  await ready();
  expect(watched.map(({ after }) => after)).toEqual([7]);
  expect(reads).toHaveBeenCalledOnce();
  store.stop();
});

it("shows all changes of a frame together, and keeps unchanged parts as the same objects", async () => {
  const { store, watched, ready, shown, nextFrame, frames } = setUp(() => view(7, { metadata: { a: 1 } }));
  await ready();
  const before = shown();
  const [watch] = watched;
  watch?.viewer.onChanges(change(7, 8, [["status"], "paused"]));
  watch?.viewer.onChanges(change(8, 11, [["revision"], 1]));
  expect(shown()).toBe(before);
  expect(frames).toHaveLength(1);
  nextFrame();
  expect(shown()).toMatchObject({ seq: 11, status: "paused", revision: 1 });
  expect(shown().metadata).toBe(before.metadata);
  store.stop();
});

it("applies no change twice, and none to another view, until it receives the whole view", async () => {
  const { store, watched, ready, shown, nextFrame } = setUp(() => view(7));
  await ready();
  const [watch] = watched;
  watch?.viewer.onChanges(change(6, 7, [["status"], "failed"]));
  watch?.viewer.onChanges(change(8, 9, [["status"], "failed"]));
  nextFrame();
  expect(shown()).toMatchObject({ seq: 7, status: "running" });
  watch?.viewer.onView(view(9, { status: "reflecting" }));
  watch?.viewer.onChanges(change(9, 10, [["revision"], 2]));
  nextFrame();
  expect(shown()).toMatchObject({ seq: 10, status: "reflecting", revision: 2 });
  store.stop();
});

it("requests the whole view if changes keep referring to another one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { store, watched } = setUp(() => view(7));
    await vi.advanceTimersByTimeAsync(0);
    watched[0]?.viewer.onChanges(change(8, 9));
    watched[0]?.viewer.onChanges(change(9, 10));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watched.map(({ after }) => after)).toEqual([7, 7]);
    watched[1]?.viewer.onView(view(10));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watched).toHaveLength(2);
    store.stop();
  } finally {
    vi.useRealTimers();
  }
});

it("watches the plan from the newer view after a reload", async () => {
  let seq = 7;
  const { store, watched, ready, nextFrame, shown } = setUp(() => view(seq));
  await ready();
  seq = 12;
  store.reload();
  await expect.poll(() => watched.map(({ after }) => after)).toEqual([7, 12]);
  nextFrame();
  expect(shown().seq).toBe(12);
  store.stop();
});

it("does not watch a plan that has ended", async () => {
  const { store, watched, ready } = setUp(() =>
    view(9, { status: "succeeded", ended: true, endedAt: "2026-01-01T00:00:02Z" }),
  );
  await ready();
  expect(watched).toEqual([]);
  store.stop();
});

it("reports why a plan cannot be read, and reads it again on retry", async () => {
  let missing = true;
  const { store, ready } = setUp(() => {
    if (missing)
      throw new ProblemError({
        code: "plan_not_found",
        status: 404,
        title: "",
        detail: "there is no plan p1",
      });
    return view(1);
  });
  await expect.poll(() => store.state.get()).toMatchObject({ error: { code: "plan_not_found" } });
  missing = false;
  store.reload();
  await ready();
  store.stop();
});
