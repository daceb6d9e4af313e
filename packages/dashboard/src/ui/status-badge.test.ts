import { expect, it } from "vitest";
import type { PlanStatus, StepStatus } from "../api/api-types.ts";
import { lookOf, lookOfPlan } from "./status-badge.tsx";

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
])("gives each status of a %s a shape and a word of its own", (_of, statuses) => {
  // The keys of a record that names each of them.
  const looks = (Object.keys(statuses) as (StepStatus | PlanStatus)[]).map(lookOf);
  expect(new Set(looks.map(({ icon }) => icon)).size).toBe(looks.length);
  expect(new Set(looks.map(({ label }) => label)).size).toBe(looks.length);
});

it("says of a plan that succeeded what its answer lacks", () => {
  expect(lookOfPlan("succeeded", "success")).toEqual(lookOf("succeeded"));
  expect(lookOfPlan("partial", "partial").label).toBe("Partially succeeded");
  expect(lookOfPlan("succeeded", "unsupported_intent")).toMatchObject({
    label: "Refused: not supported",
    tone: "warn",
  });
});

it("shows a status that it does not know by its name", () => {
  expect(lookOf("thinking" as StepStatus)).toEqual({ label: "thinking", icon: "info", tone: "idle" });
});
