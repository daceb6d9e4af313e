import { expect, it } from "vitest";
import { noticeSleep } from "./notice-sleep.ts";

it("notices a sleep, and does not mistake a hidden page for one", () => {
  let now = 0;
  let look = () => undefined as void;
  let woken = 0;
  noticeSleep(() => (woken += 1), { now: () => now, every: (_, callback) => (look = callback) });
  for (const [passedMs, times] of [
    [5_000, 0],
    [60_000, 0],
    [600_000, 1],
    [5_000, 1],
  ] as const) {
    now += passedMs;
    look();
    expect(woken).toBe(times);
  }
});
