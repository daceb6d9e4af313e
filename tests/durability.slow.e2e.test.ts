// What a crash costs: nothing but time. Every service is killed in the middle of a plan, then started again.
import type { PlanView } from "@planwright/plan";
import {
  judgementText,
  planPieces,
  type ScriptedModel,
  SERVICE_NAMES,
  type TestSystem,
  wait,
} from "@planwright/testkit";
import { beforeAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem({ alone: SERVICE_NAMES, services: { executor: { EXECUTOR_CONCURRENCY: "4" } } });
let model: ScriptedModel;
let system: TestSystem;
beforeAll(() => {
  ({ model, system } = shared);
  model.play({
    plan: () => planPieces({ steps }),
    judgement: ({ blocks }) =>
      judgementText({ text: /ABC/.exec(blocks.get("results") ?? "")?.[0] ?? "lost", sources: ["join"] }),
  });
});

/** Two quick steps, one that takes a while, and one that needs all three. */
const steps = [
  wait("a", 50, { value: "A" }),
  wait("b", 50, { value: "B" }),
  wait("slow", 1_500, { value: "C" }),
  { id: "join", tool: "flow.echo", args: { value: "{{a.output}}{{b.output}}{{slow.output}}" } },
];

for (const name of SERVICE_NAMES) {
  it(`ends with the same answer when the ${name} is killed in the middle and comes back`, async () => {
    const { planId } = await system.client.submit({ goal: "put A, B and C together" });
    for await (const { event } of system.client.events(planId)) {
      if (event.type === "step.started" && event.data.stepId === "slow") break;
    }
    await system.kill(name);
    await system.start(name);
    expect(summaryOf(await system.client.ended(planId))).toEqual(WHOLE);
  });
}

it("resumes plans after the whole system was stopped and started (SYSTEM-3)", async () => {
  const { planId } = await system.client.submit({ goal: "put A, B and C together" });
  for await (const { event } of system.client.events(planId)) {
    if (event.type === "step.started" && event.data.stepId === "slow") break;
  }
  await system.stopServices();
  await system.nats.restart();
  await system.startServices();
  expect(summaryOf(await system.client.ended(planId))).toEqual(WHOLE);
});

it("stops a running step when its plan is cancelled, and starts nothing more", async () => {
  const chain = [wait("long", 60_000, { value: 1 }), wait("never", 10, { value: 2, dependsOn: ["long"] })];
  const { planId } = await system.client.submit({ goal: "cancel me", plan: { steps: chain } });
  for await (const { event } of system.client.events(planId)) if (event.type === "step.started") break;
  const response = await system.client.fetch(`/v1/plans/${planId}/cancel`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason: "enough" }),
  });
  expect(response.status).toBe(202);
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "cancelled", outcome: "cancelled", reason: "enough" });
  expect(view.steps.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  // The worker lets go of the step long before its minute is over: the executor stops immediately.
  const [executor] = system.processes("executor");
  expect(await executor?.stop()).toBe(0);
  await system.kill("executor");
  await system.start("executor");
});

it("shares the steps of a plan between two executors and runs none twice", async () => {
  // Beside the one that is there.
  await system.start("executor");
  const many = Array.from({ length: 12 }, (_, index) => wait(`s${index}`, 300, { value: index }));
  const join = {
    id: "join",
    tool: "flow.echo",
    args: { value: "done" },
    dependsOn: many.map(({ id }) => id),
  };
  const { planId } = await system.client.submit({ goal: "share", plan: { steps: [...many, join] } });
  const runs: string[] = [];
  for await (const { event } of system.client.events(planId)) {
    if (event.type === "step.succeeded") runs.push(event.data.stepId);
    if (event.type === "plan.ended") break;
  }
  expect(new Set(runs).size).toBe(13);
  expect(runs).toHaveLength(13);
  const view = await system.client.view(planId);
  const workers = new Set(view.steps.map(({ workerId }) => workerId));
  expect(workers.size).toBe(2);
  expect(Math.max(...concurrencyByWorker(view))).toBeLessThanOrEqual(4);
});

it("ends as intended when every service is stopped", async () => {
  const codes = await Promise.all(
    SERVICE_NAMES.flatMap((name) => system.processes(name).map((one) => one.stop())),
  );
  expect(codes).toEqual([0, 0, 0, 0, 0]);
});

const WHOLE = {
  status: "succeeded",
  answer: "ABC",
  steps: ["a succeeded", "b succeeded", "slow succeeded", "join succeeded"],
};

function summaryOf({ status, answer, steps }: PlanView): typeof WHOLE {
  return { status, answer: answer?.text ?? "", steps: steps.map((step) => `${step.id} ${step.status}`) };
}

/** For each worker, the most steps that it had running at one time. */
function concurrencyByWorker(view: PlanView): number[] {
  const byWorker = Map.groupBy(view.steps, ({ workerId }) => workerId);
  return [...byWorker.values()].map((own) => {
    const starts = own.map(({ startedAt = "", endedAt = "" }) => ({
      start: Date.parse(startedAt),
      end: Date.parse(endedAt),
    }));
    return Math.max(
      ...starts.map(({ start }) => starts.filter((one) => one.start <= start && start < one.end).length),
    );
  });
}
