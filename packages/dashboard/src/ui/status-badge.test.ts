import { expect, it } from "vitest";
import type { PlanStatus, StepStatus } from "../api/api-types.ts";
import { incompleteness, lookOf, lookOfPlan, lookOfStep } from "./status-badge.tsx";

const STEP_STATUSES: Readonly<Record<StepStatus, true>> = {
  waiting: true,
  "awaiting-approval": true,
  queued: true,
  running: true,
  reviewing: true,
  succeeded: true,
  failed: true,
  skipped: true,
  cancelled: true,
};
const PLAN_STATUSES: Readonly<Record<PlanStatus, true>> = {
  scheduled: true,
  planning: true,
  "awaiting-approval": true,
  running: true,
  paused: true,
  compensating: true,
  reflecting: true,
  succeeded: true,
  partial: true,
  failed: true,
  cancelled: true,
};

it.each([
  ["step", STEP_STATUSES],
  ["plan", PLAN_STATUSES],
])("gives each status of a %s a distinct shape and label", (_of, statuses) => {
  // The keys of a record that contains every status.
  const looks = (Object.keys(statuses) as (StepStatus | PlanStatus)[]).map(lookOf);
  expect(new Set(looks.map(({ icon }) => icon)).size).toBe(looks.length);
  expect(new Set(looks.map(({ label }) => label)).size).toBe(looks.length);
});

it("reports what the answer of a succeeded plan lacks", () => {
  expect(lookOfPlan("succeeded", "success")).toEqual(lookOf("succeeded"));
  expect(lookOfPlan("partial", "partial").label).toBe("Partially succeeded");
  expect(lookOfPlan("succeeded", "unsupported_intent")).toMatchObject({
    label: "Refused: not supported",
    tone: "warn",
  });
});

it("reports why a succeeded step delivered only partial output", () => {
  expect(lookOfStep({ status: "succeeded" })).toEqual(lookOf("succeeded"));
  for (const lacking of [{ partial: "cut" }, { failedItems: 2 }, { truncated: true as const }])
    expect(lookOfStep({ status: "succeeded", ...lacking }).label).toBe("Partially succeeded");
  expect(lookOfStep({ status: "running", failedItems: 2 }).label).toBe("Running");
  expect(incompleteness({ partial: "step b failed: boom.", failedItems: 1 })).toBe("step b failed: boom.");
});

it("shows an unknown status by its name", () => {
  expect(lookOf("thinking" as StepStatus)).toEqual({ label: "thinking", icon: "info", tone: "idle" });
});
