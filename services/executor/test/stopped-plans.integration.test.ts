// Work that waits in the queue while its plan is stopped: its effect must not happen.
import { BARE_GOAL } from "@planwright/plan/testing";
import {
  evolve,
  GoalSubmitted,
  type KnownPlan,
  noPlan,
  type PlanEvent,
  StepWork,
  TimerFired,
} from "@planwright/plan";
import {
  appendEvent,
  type Bus,
  createPublish,
  readPlanEvents,
  STREAMS,
  stepSubject,
  stopSubject,
} from "@planwright/shared/bus";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool } from "../src/tools/define-tool.ts";
import { PLAN_ID, startExecutorBench } from "./support/executor-bench.ts";

const AT = "2026-01-01T00:00:00.000Z";
const SEND = "test.send";
const GRANT = { pool: "default", risk: "low", effect: "once", timeoutMs: 60_000 };

/** Counts its calls. */
function sending() {
  const sent: string[] = [];
  const tool = defineTool({
    name: SEND,
    description: "Sends something.",
    input: z.strictObject({ to: z.string() }),
    output: AnyJson,
    risk: "low",
    effect: "once",
    timeoutMs: 60_000,
    run: async ({ to }) => sent.push(to),
  });
  return { tool, sent };
}

/** A plan that timed out before its step began. */
async function storeStoppedPlan(bus: Bus): Promise<void> {
  const publish = createPublish(bus);
  const head = { planId: PLAN_ID, at: AT };
  const goal = GoalSubmitted.parse({
    ...head,
    id: "goal",
    type: "goal.submitted",
    data: {
      ...BARE_GOAL,
      goal: "send",
      tenant: "default",
      strategy: "parallel",
      plan: { steps: [{ id: "act", tool: SEND, args: { to: "act" } }] },
      grants: { [SEND]: GRANT },
      budget: { seconds: 1 },
      maxReplans: 0,
    },
  });
  await appendEvent(publish, goal);
  const { timer } = evolved(goal).budget?.deadline ?? {};
  await appendEvent(publish, TimerFired.parse({ ...head, id: "over", type: "timer.fired", data: { timer } }));
}

function evolved(goal: PlanEvent): KnownPlan {
  const plan = evolve(noPlan, goal);
  if (plan.status === "absent") throw new Error("wanted a plan");
  return plan;
}

async function sendWork(bus: Bus): Promise<void> {
  const work = StepWork.parse({
    planId: PLAN_ID,
    tenant: "default",
    stepId: "act",
    item: 0,
    attempt: 1,
    sentAfter: 0,
    tool: SEND,
    args: { to: "act" },
    pool: "default",
    effect: "once",
    timeoutMs: 60_000,
    trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
  });
  await createPublish(bus)(stepSubject(work), work, { id: "act" });
}

/** Resolves once the queue is empty. */
async function startsOf(bus: Bus): Promise<string[]> {
  const waiting = async () => (await bus.manager.streams.info(STREAMS.work)).state.messages;
  await expect.poll(waiting).toBe(0);
  const events = await Array.fromAsync(readPlanEvents(bus, PLAN_ID));
  return events.flatMap(({ event }) => (event.type === "step.started" ? [event.data.stepId] : []));
}

describe("an effect that waits in the queue while its plan is stopped", () => {
  it("is not begun by a worker that has received a hint that the plan may have stopped", async () => {
    const { tool, sent } = sending();
    await using bench = await startExecutorBench([tool]);
    await storeStoppedPlan(bench.bus);
    // Over the worker's own connection, so that it arrives before the work.
    bench.bus.connection.publish(stopSubject(PLAN_ID));
    await sendWork(bench.bus);
    expect(await startsOf(bench.bus)).toEqual([]);
    expect(sent).toEqual([]);
  });

  it("is not begun by a worker that has started since", async () => {
    const { tool, sent } = sending();
    await using bench = await startExecutorBench([tool], async (bus) => {
      await storeStoppedPlan(bus);
      await sendWork(bus);
    });
    expect(await startsOf(bench.bus)).toEqual([]);
    expect(sent).toEqual([]);
  });
});
