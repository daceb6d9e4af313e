import { expect, it } from "vitest";
import { INSTANCES, readInstance } from "./instances.ts";
import { criticalPathMs, listScheduleMs } from "./task.ts";

it("reads every instance with the critical path that is asked for", async () => {
  const sizes: number[] = [];
  for (const name of INSTANCES) {
    const tasks = await readInstance(name, 3_000);
    sizes.push(tasks.length);
    // Each of at most ten tasks in a chain is rounded.
    expect(Math.abs(criticalPathMs(tasks) - 3_000)).toBeLessThanOrEqual(5);
    expect(listScheduleMs(tasks, tasks.length)).toBe(criticalPathMs(tasks));
    expect(listScheduleMs(tasks, 4)).toBeGreaterThanOrEqual(criticalPathMs(tasks));
  }
  expect(sizes).toEqual([10, 22, 26, 58, 73, 104]);
});
