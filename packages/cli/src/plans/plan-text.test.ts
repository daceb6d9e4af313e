// The line of a step while an agent works on it.
import { expect, it } from "vitest";
import { progressText, stepLine } from "./plan-text.ts";

const VIEW = { steps: [], approvals: [], viewedAt: "2026-01-01T00:00:05Z" } as never;
const call = (place: number, tool: string, more: object = {}) => ({
  turn: 2,
  call: place,
  tool,
  thought: "so",
  attempt: 1,
  at: "",
  ...more,
});
const STEP = {
  id: "look",
  description: "Look around",
  tool: "agent.react",
  status: "running",
  startedAt: "2026-01-01T00:00:00Z",
  turns: [
    call(1, "docs.search", { output: { value: 1 } }),
    call(2, "http.fetch", { open: true }),
    call(3, "files.write", { open: true }),
  ],
};

it("lists the open calls of an agent's turn while the step runs", () => {
  expect(stepLine(VIEW, STEP as never)).toContain("turn 2: http.fetch, files.write");
  expect(stepLine(VIEW, { ...STEP, turns: STEP.turns.slice(0, 1) } as never)).not.toContain("turn 2");
  expect(stepLine(VIEW, { ...STEP, status: "cancelled" } as never)).not.toContain("turn 2");
});

it("tells the progress of a plan that has steps", () => {
  const progress = { done: 9, total: 20, percent: 45, etaMs: null };
  expect(progressText({ progress })).toBe("45%, 9 of 20 steps");
  expect(progressText({ progress: { ...progress, done: 0, total: 0, percent: 0 } })).toBe("");
});
