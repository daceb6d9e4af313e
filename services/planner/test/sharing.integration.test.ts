// Which of the ready steps a dispatcher sends, with a real nats-server: steps, workers' heartbeats, other dispatchers.
import { PlanEvent, PlanId } from "@planwright/plan";
import { factSubject, keepDemandRoll, type PlannerDemand } from "@planwright/shared/bus";
import { echo, wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDispatchBench } from "./support/dispatch-bench.ts";

const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => echo(`s${index}`, { value: index }));

/** So that no model is needed. */
const ANSWER = { answerFrom: "s0" };

/** A user's request to a plan. */
function control(planId: PlanId, type: string, data: object): PlanEvent {
  return PlanEvent.parse({ id: `${planId}/${type}`, type, planId, at: new Date().toISOString(), data });
}

it("sends no more steps of a plan than there are slots for it, and another plan's step immediately", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  using _beats = t.beats(32);
  const many = await t.submit("many", steps(500), ANSWER, { tenant: "acme" });
  await expect.poll(() => t.sent(many)).toBe(30);
  const more = await t.submit("more", steps(500), ANSWER, { tenant: "acme" });
  await expect.poll(() => t.sent(more)).toBe(1);
  const other = await t.submit("other", steps(500), ANSWER, { tenant: "bell" });
  await expect.poll(() => t.sent(other)).toBe(1);
  await expect.poll(() => t.sent()).toBe(32);
});

it("divides freed slots among tenants, and runs every step once", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  using _beats = t.beats(8);
  const runs: string[] = [];
  const plans = await Promise.all([
    t.submit("large", steps(200), ANSWER, { tenant: "acme" }),
    t.submit("small", steps(20), ANSWER, { tenant: "bell" }),
  ]);
  await expect.poll(() => t.sent()).toBe(8);
  await t.worker(async ({ planId, stepId }) => {
    runs.push(`${planId}/${stepId}`);
    return null;
  });
  for (const planId of plans) expect((await t.ended(planId)).status).toBe("succeeded");
  expect([runs.length, new Set(runs).size]).toEqual([220, 220]);
  const lastOfSmall = runs.findLastIndex((run) => run.startsWith("small"));
  expect(lastOfSmall).toBeLessThan(100);
});

it("starts the steps on the longest remaining path first on four slots, although they are planned last (GATE-4)", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  using _beats = t.beats(4);
  const runs: string[] = [];
  const open = new Map<string, () => void>();
  await t.worker(async ({ stepId }) => {
    runs.push(stepId);
    await new Promise<void>((resolve) => open.set(stepId, resolve));
    return null;
  });
  const short = ["s0", "s1", "s2", "s3", "s4"];
  const steps = [
    ...short.map((id) => wait(id, 1_000)),
    wait("long1", 100),
    wait("long2", 100, { dependsOn: ["long1"] }),
    wait("long3", 1_500, { dependsOn: ["long2"] }),
  ];
  const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 60_000 };
  const planId = await t.submit("p1", steps, ANSWER, { grants: { "flow.wait": grant } });
  const end = async (stepId: string, begun: number): Promise<void> => {
    open.get(stepId)?.();
    await expect.poll(() => runs.length).toBe(begun);
  };
  await expect.poll(() => runs.length).toBe(4);
  await end("long1", 5);
  await end("long2", 6);
  await end("s1", 7);
  await end("long3", 8);
  expect(runs).toEqual(["long1", "s0", "s1", "s2", "long2", "long3", "s3", "s4"]);
  for (const resolve of open.values()) resolve();
  expect((await t.ended(planId)).status).toBe("succeeded");
});

it("loses none of the held steps when it dies (GATE-1)", async () => {
  await using t = await startDispatchBench();
  const first = await t.dispatcher();
  using _beats = t.beats(4);
  const planId = await t.submit("p1", steps(50), ANSWER);
  await expect.poll(() => t.sent()).toBe(4);
  await first[Symbol.asyncDispose]();
  await using _second = await t.dispatcher();
  const runs: string[] = [];
  await t.worker(async ({ stepId }) => {
    runs.push(stepId);
    return null;
  });
  expect((await t.ended(planId)).status).toBe("succeeded");
  expect([runs.length, new Set(runs).size]).toEqual([50, 50]);
});

it("holds a paused plan's steps until it is resumed", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  using _beats = t.beats(4);
  const planId = await t.submit("p1", steps(20), ANSWER);
  await expect.poll(() => t.sent()).toBe(4);
  const say = async (type: string, data: object) => {
    const event = control(planId, type, { pause: 1, by: "test", ...data });
    await t.publish(factSubject(event), event, { id: event.id });
  };
  await say("pause.requested", { reason: "look" });
  await expect.poll(() => t.types(planId)).toContain("pause.requested");
  const runs: string[] = [];
  await t.worker(async ({ stepId }) => {
    runs.push(stepId);
    return null;
  });
  await expect
    .poll(async () => (await t.types(planId)).filter((type) => type === "step.succeeded"))
    .toHaveLength(4);
  const next = await t.submit("p2", steps(1), ANSWER);
  expect((await t.ended(next)).status).toBe("succeeded");
  expect(runs).toHaveLength(5);
  await say("resume.requested", {});
  expect((await t.ended(planId)).status).toBe("succeeded");
  expect(runs).toHaveLength(21);
});

it("gives the slots of a cancelled plan to the next (GATE-2)", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  using _beats = t.beats(4);
  const first = await t.submit("p1", steps(50), ANSWER);
  await expect.poll(() => t.sent(first)).toBe(4);
  const second = await t.submit("p2", steps(3), ANSWER);
  const cancel = control(first, "cancel.requested", { reason: "no longer wanted", by: "test" });
  await t.publish(factSubject(cancel), cancel, { id: cancel.id });
  await expect.poll(() => t.sent(second)).toBe(3);
});

it("shares the slots with the other dispatchers, and reports what it holds", async () => {
  await using t = await startDispatchBench();
  const demands: PlannerDemand[] = [];
  using _roll = keepDemandRoll(t.bus, {
    nowMs: () => performance.now(),
    onDemand: (demand) => demands.push(demand),
  });
  await using _first = await t.dispatcher();
  await using _second = await t.dispatcher();
  using _beats = t.beats(10);
  const ids = Array.from({ length: 32 }, (_, index) => `p${index}`);
  await Promise.all(ids.map((id) => t.submit(id, steps(10), ANSWER, { tenant: "acme" })));
  const toldOf = (plannerId: string) =>
    demands.findLast((demand) => demand.plannerId === plannerId)?.pools[0]?.tenants[0];
  const toldInAll = (count: "inFlight" | "held") =>
    (toldOf("planner-1")?.[count] ?? 0) + (toldOf("planner-2")?.[count] ?? 0);
  await expect.poll(() => toldInAll("held") + toldInAll("inFlight")).toBe(320);
  await t.worker(async () => null);
  for (const id of ids) expect((await t.ended(PlanId.parse(id))).status).toBe("succeeded");
  await expect.poll(() => [toldOf("planner-1"), toldOf("planner-2")]).toEqual([undefined, undefined]);
});
