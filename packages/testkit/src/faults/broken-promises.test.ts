// A correct log breaks no promise; each fault of a log breaks its own.
import { BARE_GOAL } from "@planwright/plan/testing";
import { PlanEvent, PlanId } from "@planwright/plan";
import { factSubject, type StoredEvent } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { brokenPromises, doubledEffects } from "./broken-promises.ts";

const planId = PlanId.parse("p1");
const at = "2026-01-01T00:00:00Z";
const step = (id: string, dependsOn: string[]) => ({
  id,
  description: id,
  tool: "note",
  args: {},
  dependsOn,
});
const grant = { pool: "default", risk: "low", effect: "idempotent", timeoutMs: 1_000 };

const fact = (type: PlanEvent["type"], data: object, id: string = type): PlanEvent =>
  PlanEvent.parse({ id, type, planId, at, data });
const submitted = fact("goal.submitted", {
  ...BARE_GOAL,
  goal: "g",
  tenant: "t",
  plan: { steps: [step("a", []), step("b", ["a"])], answerFrom: "b" },
  grants: { note: grant },
  maxReplans: 0,
});
const run = (stepId: string) => ({ stepId, item: 0, attempt: 1, workerId: "w" });
const started = (stepId: string) => fact("step.started", run(stepId), `${stepId}/started`);
const done = (stepId: string) =>
  fact(
    "step.succeeded",
    { ...run(stepId), startedAt: at, durationMs: 1, output: { value: 1 } },
    `${stepId}/done`,
  );
const answered = fact("answer.given", {
  answer: { text: "1", status: "success", sources: [], artifacts: [] },
});
const cancelled = fact("cancel.requested", { reason: "r", by: "t" });
const ended = fact("plan.ended", { outcome: "succeeded", reason: "" });
const whole = [submitted, started("a"), done("a"), started("b"), done("b"), answered, ended];

const logOf = (events: readonly PlanEvent[]): StoredEvent[] =>
  events.map((event, index) => ({
    event,
    sequence: index + 1,
    subject: factSubject(event),
    storedAtMs: 0,
    isLast: true,
    trace: undefined,
  }));
const rulesOf = (events: readonly PlanEvent[]) => brokenPromises({ planId, stored: logOf(events) });
const seenOf = (events: readonly PlanEvent[]) => events.map((event, index) => ({ seq: index + 1, event }));

it("finds nothing in a correct log, nor in a watcher's copy of it", () => {
  expect(brokenPromises({ planId, stored: logOf(whole), seen: seenOf(whole) })).toEqual([]);
});

it.each([
  ["PROMISE-1", whole.slice(0, -1)],
  ["PROMISE-1", [...whole, ended]],
  ["PROMISE-2", [...whole.slice(0, 3), done("a"), ...whole.slice(3)]],
  ["PROMISE-3", [submitted, started("b"), ...whole.slice(1)]],
  [
    "PROMISE-4",
    [submitted, cancelled, started("a"), done("a"), fact("plan.ended", { outcome: "cancelled", reason: "" })],
  ],
])("finds that %s is broken", (rule, events) => {
  expect(rulesOf(events).join()).toContain(`${rule} p1`);
});

it.each([
  ["a fact is missing", whole.toSpliced(2, 1)],
  ["a fact comes twice", [...whole, ended]],
  ["two facts change places", [submitted, done("a"), started("a"), ...whole.slice(3)]],
])("finds that PROMISE-5 is broken when %s", (_what, told) => {
  const found = brokenPromises({ planId, stored: logOf(whole), seen: seenOf(told) });
  expect(found.join()).toContain("PROMISE-5 p1");
});

it("finds that PROMISE-6 is broken when an effect was applied twice", () => {
  expect(
    doubledEffects(
      new Map([
        ["k1", 1],
        ["k2", 2],
      ]),
    ),
  ).toEqual(["PROMISE-6 k2: applied 2 times"]);
});
