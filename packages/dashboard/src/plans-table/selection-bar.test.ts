import { expect, it } from "vitest";
import { outcomeText, runEach } from "./selection-bar.tsx";

const ids = Array.from({ length: 10 }, (_, index) => `p${index}`);

it("calls each plan once, a few at a time, and continues after a failure", async () => {
  const called: string[] = [];
  let underWay = 0;
  let most = 0;
  const act = async (planId: string) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await Promise.resolve();
    called.push(planId);
    underWay -= 1;
    if (planId === "p3") throw new Error("it has finished");
  };
  const outcome = await runEach(ids, act, new AbortController().signal);
  expect(called.toSorted()).toEqual(ids);
  expect(most).toBe(4);
  expect(outcome.failed).toEqual([{ planId: "p3", message: "it has finished" }]);
  expect(outcome.done).toHaveLength(9);
});

it("starts no call after the signal has aborted", async () => {
  const ended = new AbortController();
  const outcome = await runEach(ids, async () => ended.abort(), ended.signal);
  expect(outcome.done.length).toBeLessThan(5);
});

it("reports the outcome of the plans, and why some failed", () => {
  const failure = (message: string) => ({ planId: "p", message });
  expect(outcomeText({ done: ["a"], failed: [] }, "cancelled")).toBe("1 plan cancelled.");
  expect(outcomeText({ done: ["a", "b"], failed: [failure("no"), failure("no")] }, "cancelled")).toBe(
    "2 plans cancelled. 2 failed: no",
  );
  expect(outcomeText({ done: [], failed: [failure("no"), failure("late")] }, "run again")).toBe(
    "0 plans run again. 2 failed: no (and 1 other reason)",
  );
});
