// Programs that call tools, and what becomes of them when their worker dies or a person is asked.
import { afterAll, beforeEach, expect, it } from "vitest";
import { startEffectCounter } from "@planwright/testkit";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const effects = await startEffectCounter();
afterAll(() => effects[Symbol.asyncDispose]());
beforeEach(() => effects.forget());
const shared = sharedSystem({ services: { executor: { HTTP_FETCH_ALLOW: effects.host } } });

const program = (code: string, tools: readonly string[], more: object = {}) => ({
  goal: "try it",
  plan: {
    steps: [{ id: "p", tool: "code.run", args: { language: "javascript", code, tools, ...more } }],
    answerFrom: "p",
  },
});

/** Waits until so many questions were asked, and answers the last one. */
async function decide(planId: string, count: number, body: object): Promise<void> {
  const { client } = shared.system;
  const asked = async () => (await client.view(planId)).approvals;
  await expect.poll(async () => (await asked()).length, { timeout: 60_000 }).toBe(count);
  const question = (await asked())[count - 1];
  const response = await client.fetch(`/v1/plans/${planId}/approvals/${question?.approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

it("repeats no call when its worker dies after one has acted, and runs by the same clock", async () => {
  const { system } = shared;
  const code = `
    const found = tools.math.evaluate({ expression: "20 + 1" });
    const sent = tools.http.send({ ...input, body: { n: found.value ?? found, now: Date.now(), chance: Math.random() } });
    tools.files.write({ path: "out.txt", content: String(sent.status) });
    return { status: sent.status, now: Date.now(), chance: Math.random() };`;
  const input = { url: effects.url("plain"), checkUrl: effects.url("check") };
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "effect.after-run=kill" });
  const { planId } = await system.client.submit({
    ...program(code, ["math.evaluate", "http.send", "files.write"], { input }),
    approval: { risk: "never" },
  });
  expect(await doomed.ended).toBe("SIGKILL");
  const begun = await system.client.view(planId);
  expect(begun.effects.at(-1)).toMatchObject({
    key: `${planId}/p/0/2`,
    tool: "http.send",
    status: "started",
  });
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(view.status).toBe("succeeded");
  expect([...effects.counts()]).toEqual([[`${planId}/p/0/2`, 1]]);
  expect(view.steps[0]?.turns).toMatchObject([
    { turn: 1, tool: "math.evaluate" },
    { turn: 2, tool: "http.send" },
    { turn: 3, tool: "files.write" },
  ]);
  // What the first run of the program sent, the second one would have sent again.
  const Sent = z.object({ body: z.object({ now: z.number() }) });
  const { body } = Sent.parse(view.steps[0]?.turns?.[1]?.args);
  expect(view.answer?.data).toMatchObject({ result: { status: 200, now: body.now } });
});

it("waits for approval at a high-risk call, and continues as if it had not", async () => {
  const { system } = shared;
  const code = `
    const sent = [];
    for (const n of [1, 2]) {
      try { sent.push(tools.http.send({ url: input, body: { n, at: Date.now() } }).status); }
      catch (error) { sent.push(error.code); }
    }
    return sent;`;
  const { planId } = await system.client.submit(
    program(code, ["http.send"], { input: effects.url("plain") }),
  );
  const edits = { url: effects.url("plain"), body: { n: 10 } };
  await decide(planId, 1, { decision: "approve", by: "ann", edits });
  await decide(planId, 2, { decision: "reject", by: "bob", reason: "once is enough" });
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    answer: { data: { result: [200, "approval_rejected"], toolCalls: 2 } },
  });
  // The second and third run of the program found the first call as it was made, under its own arguments.
  expect(view.steps[0]?.turns).toMatchObject([
    { args: edits, proposed: { body: { n: 1 } } },
    { error: { code: "approval_rejected" } },
  ]);
  expect([...effects.counts()]).toEqual([[`${planId}/p/0/1`, 1]]);
});

it("asks a user about a call, changed before, with an unknown outcome, and follows the decision (CALL-3)", async () => {
  const { system } = shared;
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "effect.after-run=kill" });
  const code =
    "return [tools.http.send({ url: input, body: { n: 1 } }).status, typeof tools.math.evaluate({ expression: '1' })]";
  const { planId } = await system.client.submit(
    program(code, ["http.send", "math.evaluate"], { input: effects.url("plain") }),
  );
  await decide(planId, 1, { decision: "approve", edits: { url: effects.url("plain"), body: { n: 10 } } });
  expect(await doomed.ended).toBe("SIGKILL");
  await system.start("executor");
  await decide(planId, 2, { decision: "happened", output: { status: 201 } });
  const view = await system.client.ended(planId);
  expect(view.approvals.map(({ kind }) => kind)).toEqual(["tool-risk", "outcome-unknown"]);
  expect(view.answer?.data).toMatchObject({ result: [201, "object"] });
  expect([...effects.counts()]).toEqual([[`${planId}/p/0/1`, 1]]);
});

it("has no tool that its plan does not allow, none like it, and no more calls than its limit", async () => {
  const { client } = shared.system;
  const refused = async (tools: readonly string[], more: object = {}) => {
    const response = await client.fetch("/v1/plans", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...program("return 1", tools), ...more }),
    });
    return [response.status, await response.json()];
  };
  const issue = (code: string) => [422, { code: "invalid_plan", issues: [{ code, field: "args.tools[0]" }] }];
  expect(await refused(["code.run"])).toMatchObject(issue("unknown_tool"));
  expect(await refused(["agent.react"])).toMatchObject(issue("unknown_tool"));
  expect(await refused(["docs.search"], { tools: ["code.run"] })).toMatchObject(issue("tool_not_allowed"));

  const { planId } = await client.submit(
    program('for (;;) tools.math.evaluate({ expression: "1 + 1" })', ["math.evaluate"]),
  );
  const view = await client.ended(planId);
  expect(view.steps[0]).toMatchObject({ status: "failed", error: { code: "too_many_calls" } });
  expect(view.steps[0]?.turns).toHaveLength(100);
});
