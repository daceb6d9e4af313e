// One trace from the request to the answer, over four processes, seen by a receiver that is none of ours.
import { judgementText, planPieces, type ReceivedSpan, startOtlpReceiver } from "@planwright/testkit";
import { afterAll, expect, it } from "vitest";
import { endOf, exampleStage, startOf, stepOf } from "./support/example-stage.ts";
import { sharedSystem } from "./support/shared-system.ts";

const receiver = await startOtlpReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
const shared = sharedSystem({ services: { planner: env, executor: env, reflector: env, gateway: env } });
const examples = exampleStage(shared);

it("follows a plan across the four services in one trace with one chain of parents", async () => {
  shared.model.play({
    plan: () =>
      planPieces({
        steps: [
          { id: "look", tool: "docs.search", args: { query: "pricing" } },
          { id: "write", tool: "model.write", args: { prompt: "Say it.", context: { $ref: "look.output" } } },
        ],
      }),
    write: () => "said",
    judgement: () => judgementText({ text: "the answer", sources: ["write"] }),
  });
  const { planId, traceId } = await shared.system.client.submit({ goal: "what do the vendors charge?" });
  expect((await shared.system.client.ended(planId)).traceId).toBe(traceId);
  const ours = (): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);
  await expect
    .poll(() => ours().map(({ name }) => name), { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining(["POST /v1/plans", "invoke_workflow planwright", "invoke_agent reflector"]),
    );
  await expect
    .poll(() => ours().filter(({ name }) => name.startsWith("chat ")).length, { timeout: 20_000 })
    .toBe(3);

  const services = new Set(ours().map(({ service }) => service));
  expect(services).toEqual(new Set(["gateway", "planner", "executor", "reflector"]));
  const byId = new Map(ours().map((span) => [span.spanId, span]));
  for (const span of ours()) {
    const chain = ancestorsOf(span, byId);
    expect(chain.at(-1)?.name, `${span.name} leads to the request`).toBe("POST /v1/plans");
  }

  const named = (name: string): ReceivedSpan[] => ours().filter((span) => span.name === name);
  expect(named("execute_tool docs.search")[0]?.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "docs.search",
    "plan.id": planId,
    "step.id": "look",
  });
  for (const chat of ours().filter(({ name }) => name.startsWith("chat "))) {
    expect(chat.name).toMatch(/^chat test-(planner|executor|reflector)$/);
    expect(chat.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": expect.anything(),
      "gen_ai.usage.output_tokens": expect.anything(),
      "gen_ai.response.model": expect.anything(),
      "gen_ai.prompt.name": expect.stringMatching(/^(planner\.plan|executor\.write|reflector\.judgement)$/),
      "gen_ai.prompt.version": expect.stringMatching(/^\d+$/),
    });
  }
  const processed = named("process work.step");
  expect(processed).toHaveLength(2);
  for (const span of processed) {
    expect(span.attributes).toMatchObject({ "messaging.system": "nats", "plan.id": planId });
    expect(span.links).toHaveLength(1);
    expect(byId.get(span.parentSpanId ?? "")?.name).toBe("send work.step");
  }
  for (const span of ours()) expect(span.name, "no ids in names").not.toContain(planId);
});

it("combined-agent: decomposition, parallelism, review and a gate in one plan, and one trace shows all", async () => {
  const { client } = shared.system;
  const { planId, traceId } = await client.submit(await examples.play("combined-agent"));
  for await (const { event } of client.events(planId)) {
    if (event.type === "approval.requested") {
      const path = `/v1/plans/${planId}/approvals/${event.data.approvalId}`;
      const body = JSON.stringify({ decision: "approve", by: "ann" });
      const headers = { "content-type": "application/json" };
      await client.fetch(path, { method: "POST", headers, body });
    }
    if (event.type === "plan.ended") break;
  }
  const view = await client.view(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { text: "A, B and C differ in price." } });
  expect(view.approvals).toMatchObject([{ stepId: "file", status: "decided", decision: "approve" }]);
  const inputs = ["a", "b", "c"];
  expect(view.planReviews).toMatchObject([{ draft: 1, verdict: "accepted" }]);
  expect(stepOf(view, "compare").reviews?.map(({ verdict }) => verdict)).toEqual(["rejected", "accepted"]);
  // Two plans, two texts, and three reviews.
  expect(view.usage.modelCalls).toBe(7);
  expect(startOf(view, "compare")).toBeGreaterThanOrEqual(Math.max(...inputs.map((id) => endOf(view, id))));
  const ours = () => receiver.spans.filter((span) => span.traceId === traceId);
  const names = () => ours().map(({ name }) => name);
  await expect
    .poll(names, { timeout: 20_000 })
    .toEqual(expect.arrayContaining(["execute_tool docs.search", "execute_tool files.write", "plan"]));
  const services = () => new Set(ours().map(({ service }) => service));
  await expect.poll(services).toEqual(new Set(["gateway", "planner", "executor", "reflector"]));
  const prompts = () => ours().flatMap(({ attributes }) => attributes["gen_ai.prompt.name"] ?? []);
  const roles = ["planner.hierarchical", "reflector.plan", "executor.write", "reflector.step"];
  await expect.poll(() => new Set(prompts())).toEqual(new Set(roles));
});

/** The span itself and its parents up to one that has none here. */
function ancestorsOf(span: ReceivedSpan, byId: ReadonlyMap<string, ReceivedSpan>): ReceivedSpan[] {
  const chain = [span];
  for (let parent = byId.get(span.parentSpanId ?? ""); parent !== undefined; ) {
    chain.push(parent);
    parent = byId.get(parent.parentSpanId ?? "");
  }
  return chain;
}
