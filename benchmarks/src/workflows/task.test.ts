import { expect, it } from "vitest";
import { criticalPathMs, listScheduleMs, type Task } from "./task.ts";

const task = (id: string, ms: number, after: string[] = []): Task => ({ id, ms, after });

it("is as long as the critical path if there is a slot for every task", () => {
  const tasks = [task("a", 5), task("b", 3), task("c", 4, ["b"]), task("d", 1, ["a", "c"])];
  expect([criticalPathMs(tasks), listScheduleMs(tasks, 4)]).toEqual([8, 8]);
});

it("is the total work divided by the slots if no task needs another", () => {
  const tasks = Array.from({ length: 6 }, (_, index) => task(`t${index}`, 10));
  expect(listScheduleMs(tasks, 2)).toBe(30);
});

it("begins the task with the longest remaining path, although others were ready before it", () => {
  const tasks = [task("a", 4), task("b", 4), task("c", 1), task("long", 9, ["c"])];
  // c and its successor fill one slot, a and b the other.
  expect(listScheduleMs(tasks, 2)).toBe(10);
  expect(listScheduleMs(tasks, 1)).toBe(18);
});

it("refuses tasks that can never begin", () => {
  expect(() => listScheduleMs([task("a", 1, ["b"])], 1)).toThrow("not there");
});
