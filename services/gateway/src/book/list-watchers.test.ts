import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { CHANGES_MAX, createListWatchers } from "./list-watchers.ts";

const id = (number: number) => PlanId.parse(`p${number}`);

it("names each plan of the watcher's tenant that has changed since the last read, once", async () => {
  const watchers = createListWatchers();
  using watcher = watchers.add("ours", new AbortController().signal);
  watchers.note("ours", id(1));
  watchers.note("theirs", id(2));
  watchers.note("ours", id(1));
  await watcher.changed();
  expect(watcher.take()).toEqual({ planIds: ["p1"], more: false });
  expect(watcher.take()).toEqual({ planIds: [], more: false });
  watchers.note("ours", id(3));
  await watcher.changed();
  expect(watcher.take().planIds).toEqual(["p3"]);
});

it("reports when more plans have changed than it names, and forgets them", () => {
  const watchers = createListWatchers();
  using watcher = watchers.add("ours", new AbortController().signal);
  for (let number = 0; number < CHANGES_MAX; number++) watchers.note("ours", id(number));
  watchers.note("ours", id(0));
  expect(watcher.take().more).toBe(false);
  for (let number = 0; number <= CHANGES_MAX; number++) watchers.note("ours", id(number));
  const changes = watcher.take();
  expect([changes.planIds.length, changes.more]).toEqual([CHANGES_MAX, true]);
  expect(watcher.take().more).toBe(false);
});

it("wakes a watcher whose signal aborts, and records nothing for one that has left", async () => {
  const watchers = createListWatchers();
  const ended = new AbortController();
  const watcher = watchers.add("ours", ended.signal);
  ended.abort();
  await watcher.changed();
  watcher[Symbol.dispose]();
  watchers.note("ours", id(1));
  expect(watcher.take().planIds).toEqual([]);
});
