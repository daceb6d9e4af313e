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

/** An auditor with an in-memory log and a fixed clock. */
function auditor({ isBlocked = false } = {}) {
  const written: AuditedAction[] = [];
  const clock = { ms: Date.parse("2026-01-01T00:00:00Z") };
  const auditLog = { isBlocked, append: async (action: AuditedAction) => void written.push(action) };
  const created = createAuditor({ auditLog, now: () => new Date(clock.ms), log });
  return { ...created, written, clock };
}

it("records every change, a refusal at most once a minute and a read at most once an hour", async () => {
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

it("records reads separately for each reader and each plan", async () => {
  const { note, written } = auditor();
  await note(noted({ action: "getPlan" }));
  await note(noted({ action: "getPlan", on: { planId: "q" } }));
  await note(noted({ action: "getPlan", caller: { ...caller, identity: "acme/bob" } }));
  expect(written).toHaveLength(3);
});

it("records no lists, spans or unknown calls, and nothing at all without keys", async () => {
  const { note, written } = auditor();
  for (const action of ["listPlans", "receiveTraces", "callMcp", "none"]) await note(noted({ action }));
  await note(noted({ caller: { ...caller, identity: undefined } }));
  expect(written).toEqual([]);
});

it("omits long texts and values that are not text", async () => {
  const { note, written } = auditor();
  await note(noted({ on: { planId: "p".repeat(1_000), edits: { secret: 1 }, attempt: 2 } }));
  expect(written[0]?.on).toEqual({ planId: "p".repeat(200), attempt: "2" });
});

it("refuses calls that it could not record, unless no keys are set", () => {
  expect(() => auditor().refuseWhenBlocked(caller)).not.toThrow();
  const { refuseWhenBlocked } = auditor({ isBlocked: true });
  expect(() => refuseWhenBlocked(caller)).toThrow(/audit log cannot be written/);
  expect(() => refuseWhenBlocked({ identity: undefined })).not.toThrow();
});
