// Questions with a real nats-server: several simultaneously, answered, expired, and across a change of planners.
import { PlanEvent, type PlanId, StepId } from "@planwright/plan";
import { factSubject, readPlan } from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDispatchBench } from "./support/dispatch-bench.ts";

type Bench = Awaited<ReturnType<typeof startDispatchBench>>;

const ask = (id: string, question: string, more: object = {}) => ({
  id,
  tool: "human.ask",
  args: { question },
  ...more,
});

async function answer(t: Bench, planId: PlanId, stepId: string, said: string): Promise<void> {
  const event = PlanEvent.parse({
    id: `${planId}/approval/${stepId}/${said}`,
    type: "approval.decided",
    planId,
    at: new Date().toISOString(),
    data: { approvalId: `ask-${stepId}-0-1`, decision: "answer", answer: said, by: "ann" },
  });
  await t.publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } });
}

const questionsOf = async (t: Bench, planId: PlanId) =>
  [...((await readPlan(t.bus, planId))?.approvals.keys() ?? [])].toSorted();

it("asks two questions simultaneously while a third branch continues, and gives each answer to its branch", async () => {
  await using t = await startDispatchBench();
  const ran: string[] = [];
  await t.worker(async ({ stepId, args }) => {
    ran.push(stepId);
    return args["value"] ?? null;
  });
  const first = await t.dispatcher();
  const planId = await t.submit("p1", [
    ask("q1", "One?"),
    ask("q2", "Two?"),
    echo("a1", { value: "{{q1.output.answer}}" }),
    echo("a2", { value: "{{q2.output.answer}}" }),
    echo("free", { value: 1 }),
    echo("all", { value: "{{a1.output}} {{a2.output}} {{free.output}}" }),
  ]);
  await expect.poll(() => questionsOf(t, planId)).toEqual(["ask-q1-0-1", "ask-q2-0-1"]);
  await expect.poll(() => ran).toEqual(["free"]);
  await answer(t, planId, "q2", "second");
  await expect.poll(() => ran).toEqual(["free", "a2"]);
  // The planner that takes over asks no question again.
  await first[Symbol.asyncDispose]();
  await using _next = await t.dispatcher();
  await answer(t, planId, "q1", "first");
  expect(await t.ended(planId)).toMatchObject({ conclusion: { answer: { text: "first second 1" } } });
  expect((await t.types(planId)).filter((type) => type === "approval.requested")).toHaveLength(2);
});

it("abandons a question when its time is up", async () => {
  await using t = await startDispatchBench();
  await t.worker(async ({ args }) => args["value"] ?? null);
  await using _dispatcher = await t.dispatcher();
  const planId = await t.submit("p1", [ask("q", "Now?", { timeoutMs: 50 }), echo("free", { value: 1 })]);
  const stateOf = async () => (await readPlan(t.bus, planId))?.steps.get(StepId.parse("q"))?.state;
  await expect.poll(stateOf).toMatchObject({ status: "failed", error: { code: "question_expired" } });
});
