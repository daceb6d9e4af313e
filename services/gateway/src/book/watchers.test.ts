import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { createWatchers } from "./watchers.ts";

const plan = PlanId.parse("p");
const other = PlanId.parse("q");
const { signal } = new AbortController();

it("wakes a watcher for changes since its last read, even those before it started waiting", async () => {
  const watchers = createWatchers({ perPlanMax: 3 });
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
  const watchers = createWatchers({ perPlanMax: 3 });
  const leaving = new AbortController();
  using watcher = watchers.add(plan, leaving.signal);
  watcher.reset();
  leaving.abort();
  await expect(watcher.changed()).resolves.toBeUndefined();
});

it("accepts a limited number of watchers per plan, until some of them leave", () => {
  const watchers = createWatchers({ perPlanMax: 3 });
  const all = Array.from({ length: 3 }, () => watchers.add(plan, signal));
  expect(() => watchers.add(plan, signal)).toThrow(/max 3/);
  watchers.add(other, signal)[Symbol.dispose]();
  all[0]?.[Symbol.dispose]();
  all[0]?.[Symbol.dispose]();
  expect(watchers.count).toBe(2);
  watchers.add(plan, signal);
});
