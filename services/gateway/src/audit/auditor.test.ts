import type { AuditedAction } from "@planwright/plan/audit";
import { createLogger } from "@planwright/shared/service";
import { expect, it } from "vitest";
import { createAuditor, type Noted } from "./auditor.ts";

const log = createLogger({ name: "test", level: "silent" });
const caller = { tenant: "acme", identity: "acme/ann", role: "operator" } as const;
const noted = (more: Partial<Noted> = {}): Noted => ({
  caller,
  action: "cancelPlan",
  via: "http",
  on: { planId: "p" },
  from: "::1",
  outcome: "done",
  ...more,
});

/** A log in memory, and a clock that stands still. */
function auditor({ isBlocked = false } = {}) {
  const written: AuditedAction[] = [];
  const clock = { ms: Date.parse("2026-01-01T00:00:00Z") };
  const auditLog = { isBlocked, append: async (action: AuditedAction) => void written.push(action) };
  const created = createAuditor({ auditLog, now: () => new Date(clock.ms), log });
  return { ...created, written, clock };
}

it("writes each change, a refusal once a minute and a read once an hour", async () => {
  const { note, written, clock } = auditor();
  const all = [noted(), noted({ outcome: "plan_ended" }), noted({ action: "getPlan" })];
  for (const one of [...all, ...all]) await note(one);
  expect(written.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    "cancelPlan done",
    "cancelPlan plan_ended",
    "getPlan done",
    "cancelPlan done",
  ]);
  clock.ms += 60_000;
  for (const one of all) await note(one);
  expect(written).toHaveLength(6);
  clock.ms += 3_540_000;
  await note(noted({ action: "getPlan" }));
  expect(written).toHaveLength(7);
});

it("writes the reads of each reader, of each plan", async () => {
  const { note, written } = auditor();
  await note(noted({ action: "getPlan" }));
  await note(noted({ action: "getPlan", on: { planId: "q" } }));
  await note(noted({ action: "getPlan", caller: { ...caller, identity: "acme/bob" } }));
  expect(written).toHaveLength(3);
});

it("writes no lists, no spans, no calls that are unknown, and nothing where no keys are set", async () => {
  const { note, written } = auditor();
  for (const action of ["listPlans", "receiveTraces", "callMcp", "none"]) await note(noted({ action }));
  await note(noted({ caller: { ...caller, identity: undefined } }));
  expect(written).toEqual([]);
});

it("keeps long texts out, and values that are none", async () => {
  const { note, written } = auditor();
  await note(noted({ on: { planId: "p".repeat(1_000), edits: { secret: 1 }, attempt: 2 } }));
  expect(written[0]?.on).toEqual({ planId: "p".repeat(200), attempt: "2" });
});

it("refuses calls that it could not record, except where no keys are set", () => {
  expect(() => auditor().refuseWhenBlocked(caller)).not.toThrow();
  const { refuseWhenBlocked } = auditor({ isBlocked: true });
  expect(() => refuseWhenBlocked(caller)).toThrow(/audit log cannot be written/);
  expect(() => refuseWhenBlocked({ identity: undefined })).not.toThrow();
});
