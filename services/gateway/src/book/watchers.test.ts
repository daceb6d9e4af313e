import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { createWatchers, WATCHERS_OF_A_PLAN_MAX } from "./watchers.ts";

const plan = PlanId.parse("p");
const other = PlanId.parse("q");
const { signal } = new AbortController();

it("wakes a watcher for what changed since it last looked, also before it waits", async () => {
  const watchers = createWatchers();
  using watcher = watchers.add(plan, signal);
  watcher.reset();
  watchers.wake(plan);
  await watcher.changed();
  watcher.reset();
  let woken = false;
  const waiting = watcher.changed().then(() => {
    woken = true;
  });
  watchers.wake(other);
  await Promise.resolve();
  expect(woken).toBe(false);
  watchers.wake(plan);
  await waiting;
});

it("wakes a watcher whose signal aborts, so that it can leave", async () => {
  const watchers = createWatchers();
  const leaving = new AbortController();
  using watcher = watchers.add(plan, leaving.signal);
  watcher.reset();
  leaving.abort();
  await expect(watcher.changed()).resolves.toBeUndefined();
});

it("takes only so many watchers of one plan, until some of them leave", () => {
  const watchers = createWatchers();
  const all = Array.from({ length: WATCHERS_OF_A_PLAN_MAX }, () => watchers.add(plan, signal));
  expect(() => watchers.add(plan, signal)).toThrow(/at most 1000/);
  watchers.add(other, signal)[Symbol.dispose]();
  all[0]?.[Symbol.dispose]();
  all[0]?.[Symbol.dispose]();
  expect(watchers.count).toBe(WATCHERS_OF_A_PLAN_MAX - 1);
  watchers.add(plan, signal);
});
