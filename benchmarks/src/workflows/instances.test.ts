import { expect, it } from "vitest";
import { INSTANCES, readInstance } from "./instances.ts";
import { criticalPathMs, listScheduleMs } from "./task.ts";

it("reads every instance with the requested critical path", async () => {
  const sizes: number[] = [];
  for (const name of INSTANCES) {
    const tasks = await readInstance(name, 3_000);
    sizes.push(tasks.length);
    // A chain has at most ten tasks, and each is rounded.
    expect(Math.abs(criticalPathMs(tasks) - 3_000)).toBeLessThanOrEqual(5);
    expect(listScheduleMs(tasks, tasks.length)).toBe(criticalPathMs(tasks));
    expect(listScheduleMs(tasks, 4)).toBeGreaterThanOrEqual(criticalPathMs(tasks));
  }
  expect(sizes).toEqual([10, 22, 26, 58, 73, 104]);
});
