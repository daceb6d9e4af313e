// The gate with real plan states: what it sends, in which order, and that it loses nothing.
import { BARE_GOAL, type BuiltStep } from "@planwright/plan/testing";
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
import { echo, wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import type { OwnedPlan } from "../dispatch/owned-plan.ts";
import { WorkGate } from "./work-gate.ts";

const at = "2026-01-01T00:00:00.000Z";
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 5_000 };

/** Plans whose steps are sent through a gate to a pool with this many slots; the test plays the workers. */
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
  const succeed = ({ planId, stepId, item, attempt }: StepWork, durationMs = 1): void => {
    const run = { stepId, item, attempt, workerId: "w", startedAt: at, durationMs };
    fold(planId, "step.succeeded", { ...run, output: { value: 1 } });
  };
  return {
    sent,
    gate,
    fold,
    succeed,
    /** Finishes the messages that were sent with these numbers, one after another. */
    succeedInTurn(from: number, to: number, durationMs?: number): void {
      for (let number = from; number < to; number += 1) {
        const work = sent[number];
        if (work !== undefined) succeed(work, durationMs);
      }
    },
    submit(id: string, steps: number | readonly BuiltStep[], goal: object = {}): void {
      const all =
        typeof steps === "number"
          ? Array.from({ length: steps }, (_, index) => echo(`s${index}`, { value: index }))
          : steps;
      fold(id, "goal.submitted", {
        ...BARE_GOAL,
        goal: "g",
        tenant: "acme",
        plan: { steps: all, answerFrom: all[0]?.id },
        grants: { "flow.echo": grant, "flow.wait": grant, "plan.run": grant },
        maxReplans: 0,
        ...goal,
      });
    },
    names: () => sent.map(({ planId, stepId }) => `${planId}/${stepId}`),
  };
}

it("gives a high-priority plan most of its tenant's slots, and another tenant its half", () => {
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

it("does not hold a step that a worker has started, nor send it when its turn comes (GATE-3)", () => {
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

it("sends the step with the longest remaining path first, by the declared durations of waits (GATE-4)", () => {
  const t = openGate({ slots: 1 });
  t.submit("p", [
    wait("first", 10),
    wait("short", 50),
    wait("long", 90),
    wait("early", 40),
    wait("late", 60, { dependsOn: ["early"] }),
  ]);
  // Each when the previous one is done. "late" was the last to become ready.
  t.succeedInTurn(0, 4);
  expect(t.names()).toEqual(["p/early", "p/long", "p/late", "p/short", "p/first"]);
});

it("sends the step that the longest chain depends on first when no durations are known", () => {
  const t = openGate({ slots: 1 });
  t.submit("p", [
    echo("alone"),
    echo("head"),
    echo("middle", { dependsOn: ["head"] }),
    echo("end", { dependsOn: ["middle"] }),
  ]);
  t.succeedInTurn(0, 3);
  expect(t.names()).toEqual(["p/head", "p/middle", "p/alone", "p/end"]);
});

it("learns a tool's duration from earlier plans of the tenant, but not from another tenant's", () => {
  const t = openGate({ slots: 1 });
  const steps = [wait("wait", 300), echo("echo")];
  t.submit("before", 4, { tenant: "acme" });
  t.succeedInTurn(0, 4, 900);
  t.submit("busy", 1, { tenant: "coil" });
  t.submit("acme", steps, { tenant: "acme" });
  t.submit("bell", steps, { tenant: "bell" });
  t.succeedInTurn(4, 9);
  const of = (plan: string) => t.names().filter((name) => name.startsWith(plan));
  expect([of("acme"), of("bell")]).toEqual([
    ["acme/echo", "acme/wait"],
    ["bell/wait", "bell/echo"],
  ]);
});

it("reorders held steps when a draft has planned more steps", () => {
  const t = openGate({ slots: 1 });
  t.fold("p", "goal.submitted", {
    ...BARE_GOAL,
    goal: "g",
    tenant: "acme",
    grants: { "flow.wait": grant },
  });
  const draft = { draft: 1, strategy: "parallel", strategyReason: "r", workerId: "w" };
  t.fold("p", "draft.started", { ...draft, seen: 1, tools: ["flow.wait"] });
  let index = 0;
  const plan = (...steps: readonly BuiltStep[]): void => {
    for (const step of steps) t.fold("p", "step.planned", { draft: 1, index: index++, step, grant });
  };
  plan(wait("a", 50), wait("b", 40), wait("c", 30), wait("d", 20));
  t.succeedInTurn(0, 1);
  plan(wait("after-d", 100, { dependsOn: ["d"] }));
  t.succeedInTurn(1, 2);
  expect(t.names()).toEqual(["p/a", "p/b", "p/d"]);
});

it("counts the parent's remaining work after a sub-plan", () => {
  const t = openGate({ slots: 1 });
  const subPlan = { id: "sub", tool: "plan.run", args: { goal: "g" } };
  t.submit("parent", [
    wait("busy", 900),
    wait("beside", 200),
    subPlan,
    wait("after", 500, { dependsOn: ["sub"] }),
  ]);
  t.submit("child", [wait("one", 100)], {
    parent: { planId: "parent", stepId: "sub", item: 0, attempt: 1, depth: 1 },
  });
  t.succeedInTurn(0, 1);
  expect(t.names()).toEqual(["parent/busy", "child/one"]);
});
