// The gate over real plan states: what it sends, in which order, and that it loses nothing.
import { BARE_GOAL } from "@planwright/plan/testing";
import {
  decide,
  evolve,
  type KnownPlan,
  newlyOwed,
  noPlan,
  PlanEvent,
  PlanId,
  type StepWork,
} from "@planwright/plan";
import { echo } from "@planwright/testkit";
import { expect, it } from "vitest";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";
import { WorkGate } from "./work-gate.ts";

const at = "2026-01-01T00:00:00.000Z";
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 5_000 };

/** Plans whose steps are sent through a gate to a pool with so many slots; the test plays the workers. */
function openGate({ slots }: { readonly slots: number }) {
  const plans = new Map<string, OwnedPlan>();
  const sent: StepWork[] = [];
  const gate = new WorkGate({
    slots: () => slots,
    others: () => [],
    find: (planId) => plans.get(planId),
    send: (_owned, command) => void (command.kind === "run" && sent.push(command.work)),
    onChange: () => undefined,
    now: () => new Date(at),
  });
  const fold = (id: string, type: string, data: object): void => {
    const planId = PlanId.parse(id);
    const event = PlanEvent.parse({ id: `${id}/${type}/${Math.random()}`, type, planId, at, data });
    const known = plans.get(id);
    const before = known?.plan ?? noPlan;
    const plan = evolve(before, event) as KnownPlan;
    const owned: OwnedPlan = Object.assign(known ?? ({} as OwnedPlan), { plan });
    plans.set(id, owned);
    gate.heed(owned, event);
    for (const command of decide(plan, newlyOwed(before, plan))) {
      if (command.kind === "run") gate.take(owned, command);
    }
    gate.release();
  };
  return {
    sent,
    gate,
    fold,
    submit(id: string, steps: number, goal: object = {}): void {
      fold(id, "goal.submitted", {
        ...BARE_GOAL,
        goal: "g",
        tenant: "acme",
        plan: { steps: Array.from({ length: steps }, (_, index) => echo(`s${index}`, { value: index })) },
        grants: { "flow.echo": grant },
        maxReplans: 0,
        ...goal,
      });
    },
    succeed({ planId, stepId, item, attempt }: StepWork): void {
      const run = { stepId, item, attempt, workerId: "w", startedAt: at, durationMs: 1 };
      fold(planId, "step.succeeded", { ...run, output: { value: 1 } });
    },
    names: () => sent.map(({ planId, stepId }) => `${planId}/${stepId}`),
  };
}

it("gives a plan of high priority most of its tenant's slots, and another tenant its half", () => {
  const t = openGate({ slots: 10 });
  t.submit("first", 10);
  t.submit("low", 50, { priority: "low" });
  t.submit("high", 50, { priority: "high" });
  t.submit("other", 50, { tenant: "bell" });
  for (let done = 0; done < 30; done += 1) {
    const work = t.sent[done];
    if (work !== undefined) t.succeed(work);
  }
  const open = t.names().slice(30);
  const of = (plan: string) => open.filter((name) => name.startsWith(plan)).length;
  expect([open.length, of("low"), of("other")]).toEqual([10, 0, 5]);
  expect(of("high")).toBe(5);
});

it("sends the next step when one is done, until all are (GATE-2)", () => {
  const t = openGate({ slots: 2 });
  t.submit("p", 5);
  expect(t.names()).toEqual(["p/s0", "p/s1"]);
  for (let done = 0; done < 5; done += 1) {
    const work = t.sent[done];
    if (work !== undefined) t.succeed(work);
  }
  expect(t.names()).toEqual(["p/s0", "p/s1", "p/s2", "p/s3", "p/s4"]);
  expect(t.gate.demand()).toEqual([]);
});

it("does not hold a step that a worker has begun, and does not send it when its turn comes (GATE-3)", () => {
  const t = openGate({ slots: 1 });
  t.submit("p", 3);
  t.fold("p", "step.started", { stepId: "s1", item: 0, attempt: 1, workerId: "w", pool: "default" });
  expect(t.gate.demand()).toMatchObject([{ tenants: [{ tenant: "acme", inFlight: 2, held: 1 }] }]);
  for (const work of t.sent.slice(0, 1)) t.succeed(work);
  t.fold("p", "step.succeeded", {
    stepId: "s1",
    item: 0,
    attempt: 1,
    workerId: "w",
    startedAt: at,
    durationMs: 1,
    output: { value: 1 },
  });
  expect(t.names()).toEqual(["p/s0", "p/s2"]);
});
