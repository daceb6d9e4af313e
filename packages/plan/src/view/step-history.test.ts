import { expect, it } from "vitest";
import {
  AT,
  factRecorded,
  failed,
  faltered,
  interrupted,
  loopFact,
  PLAN_ID,
  reviewed,
  started,
  succeeded,
  USAGE,
} from "../../test/facts.ts";
import { StepId } from "../values/ids.ts";
import { stepHistory } from "./step-history.ts";

const worker = (workerId: string, more: object = {}) => ({ workerId, ...more });

it("shows each attempt of a step: its workers, its deliveries, its failure, its success", () => {
  const file = { name: "a.csv", contentType: "text/csv", bytes: 3 };
  const history = stepHistory(
    [
      started("other"),
      started("a", 1, worker("w1")),
      started("a", 1, worker("w2", { delivery: 2 })),
      faltered("a", 1, { ...worker("w2"), usage: USAGE, uncertain: true }),
      // Too late, and from another worker: the first outcome counts.
      succeeded("a", 9, 1, worker("w1")),
      started("a", 1, worker("w1", { delivery: 3 })),
      started("a", 2, worker("w3", { unit: "other", subPlan: PLAN_ID })),
      succeeded("a", 1, 2, { ...worker("w3"), usage: USAGE, artifacts: [file, file], reused: true }),
      reviewed("a"),
      failed("other"),
    ],
    "a",
  );
  expect(history.attempts).toMatchObject([
    {
      attempt: 1,
      outcome: "failed",
      workerId: "w2",
      deliveries: 2,
      error: { code: "e", message: "boom" },
      retryable: true,
      uncertain: true,
      endedAt: AT,
    },
    {
      attempt: 2,
      outcome: "succeeded",
      workerId: "w3",
      deliveries: 1,
      unit: "other",
      subPlan: PLAN_ID,
      reused: true,
    },
  ]);
  expect(history.files).toEqual([file]);
  expect(history.usage).toMatchObject({ modelCalls: 2, inputTokens: 20, costUsd: 1 });
  expect(history.lookedAt).toMatchObject({ modelCalls: 1, costUsd: 0.5 });
});

it("separates attempts by item, and attempts of the step from those of its compensation", () => {
  const { attempts } = stepHistory(
    [
      started("a", 1, { item: 0 }),
      started("a", 1, { item: 1 }),
      succeeded("a", 1, 1, { item: 1 }),
      started("a", 1, { undo: true }),
      failed("a", 1, { undo: true }),
    ],
    "a",
  );
  expect(attempts).toMatchObject([
    { item: 0, outcome: "running" },
    { item: 1, outcome: "succeeded" },
    { item: 0, undo: true, outcome: "failed" },
  ]);
});

it("includes attempts without a recorded start, lost attempts, and attempts that end with a question", () => {
  const stepId = StepId.parse("a");
  const call = { turn: 1, thought: "so", tool: "mail.send", args: {}, risk: "high" };
  const asked = (attempt: number) => {
    const ended = { workerId: "w", startedAt: AT, durationMs: 1 };
    return loopFact("step.asked", { stepId, item: 0, attempt }, { ...ended, usage: USAGE, call });
  };
  const { attempts, usage, lookedAt } = stepHistory(
    [
      started("a", 1, worker("w1")),
      interrupted("a", 1, worker("w2")),
      // It was presumed lost.
      succeeded("a", 1, 1, worker("w1")),
      interrupted("a", 1, worker("w2")),
      interrupted("a", 2, worker("w2")),
      asked(3),
      factRecorded("a", []),
    ],
    "a",
  );
  expect(attempts).toMatchObject([
    { attempt: 1, outcome: "succeeded", workerId: "w1" },
    { attempt: 2, outcome: "interrupted", workerId: "w2", error: { message: "its worker died" } },
    { attempt: 3, outcome: "asked" },
  ]);
  expect([usage.modelCalls, lookedAt.modelCalls]).toEqual([1, 1]);
});
