import { expect, it } from "vitest";
import { slowestFirst } from "./step-order.ts";

it("sorts the slowest steps first, running ones by their time so far, and those that have not started last", () => {
  const startedAt = "2026-01-01T00:00:00Z";
  const steps = [
    { id: "waiting" },
    { id: "quick", startedAt, durationMs: 5 },
    { id: "running", startedAt },
    { id: "slow", startedAt, durationMs: 9_000 },
    { id: "also waiting" },
  ];
  const ordered = slowestFirst(steps, Date.parse(startedAt) + 2_000);
  expect(ordered.map(({ id }) => id)).toEqual(["slow", "running", "quick", "waiting", "also waiting"]);
});
