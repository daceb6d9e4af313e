// What a step can say besides its tool, on the whole system. What follows from it in every case: packages/plan.
import { startEffectCounter, wait } from "@planwright/testkit";
import { afterAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const effects = await startEffectCounter();
afterAll(() => effects[Symbol.asyncDispose]());
const shared = sharedSystem({ services: { executor: { HTTP_FETCH_ALLOW: effects.host } } });

async function run(plan: object) {
  const { client } = shared.system;
  const { planId } = await client.submit({ goal: "run it", plan });
  return { planId, view: await client.ended(planId) };
}

it("takes one of two branches, and continues with the one that ran", async () => {
  const { view } = await run({
    steps: [
      { id: "total", tool: "math.evaluate", args: { expression: "50 * 3" } },
      { id: "big", tool: "flow.echo", args: { value: "big" }, when: "total.output.value > 100" },
      { id: "small", tool: "flow.echo", args: { value: "small" }, when: "not total.output.value > 100" },
      { id: "end", tool: "flow.echo", args: { value: "it is {{big.output}}{{small.output}}" } },
    ],
  });
  expect(view).toMatchObject({ status: "succeeded", answer: { text: "it is big", status: "success" } });
  expect(view.steps.map(({ status, notNeeded }) => [status, notNeeded])).toEqual([
    ["succeeded", undefined],
    ["succeeded", undefined],
    ["skipped", true],
    ["succeeded", undefined],
  ]);
});

it("runs a step for each item of a list simultaneously, and shows failures in their places", async () => {
  const { view, planId } = await run({
    steps: [
      { id: "list", tool: "flow.echo", args: { value: { names: ["a", "../b", "c"] } } },
      {
        id: "files",
        tool: "files.write",
        args: { path: "{{item}}.txt", content: "the file {{item}}" },
        forEach: { $ref: "list.output.names" },
      },
      { id: "read", tool: "files.read", args: { path: "{{files.output[2].path}}" } },
    ],
  });
  const [, files] = view.steps;
  expect(files?.items).toMatchObject([
    { item: 0, value: "a", status: "succeeded" },
    { item: 1, value: "../b", status: "failed" },
    { item: 2, value: "c", status: "succeeded" },
  ]);
  expect(files).toMatchObject({ status: "succeeded", failedItems: 1 });
  expect(view.answer?.status).toBe("partial");
  expect(view.effects.map(({ key, status }) => [key, status])).toEqual([
    [`${planId}/files/0/0`, "done"],
    [`${planId}/files/1/0`, "failed"],
    [`${planId}/files/2/0`, "done"],
  ]);
  expect(view.answer?.text).toContain("the file c");
});

it("has as many items under way as workers have room for, and all of their results in order", async () => {
  const { view } = await run({
    steps: [wait("wait", 150, { value: "{{item}}", forEach: [1, 2, 3, 4] })],
  });
  const items = view.steps[0]?.items ?? [];
  const starts = items.map(({ startedAt }) => Date.parse(startedAt ?? ""));
  const ends = items.map(({ endedAt }) => Date.parse(endedAt ?? ""));
  expect(Math.max(...starts)).toBeLessThan(Math.min(...ends));
  expect(view.answer?.data).toEqual(["1", "2", "3", "4"]);
});

it("runs no finished item again when its worker is killed in the middle", async () => {
  const { system } = shared;
  await system.end("executor");
  const doomed = await system.start("executor", {
    EXECUTOR_CONCURRENCY: "1",
    PLANWRIGHT_FAULTS: "outcome.after-publish=kill@3",
  });
  const args = { url: effects.url("plain"), checkUrl: effects.url("check"), body: { to: { $ref: "item" } } };
  const steps = [{ id: "send", tool: "http.send", args, forEach: ["a", "b", "c", "d", "e", "f"] }];
  const { planId } = await system.client.submit({
    goal: "send",
    plan: { steps },
    approval: { risk: "never" },
  });
  expect(await doomed.ended).toBe("SIGKILL");
  expect(effects.requests.filter(({ target }) => target === "plain")).toHaveLength(3);
  await system.start("executor");
  const { steps: seen } = await system.client.ended(planId);
  expect(seen[0]?.items?.map(({ status, attempt }) => [status, attempt])).toEqual(
    steps[0]?.forEach.map(() => ["succeeded", 1]),
  );
  expect(Object.fromEntries(effects.counts())).toEqual(
    Object.fromEntries([0, 1, 2, 3, 4, 5].map((item) => [`${planId}/send/${item}/0`, 1])),
  );
});

it("asks a separate question for each item, and has a separate plan for each", async () => {
  const { client } = shared.system;
  const { planId } = await client.submit({
    goal: "ask and divide",
    plan: {
      steps: [
        { id: "ask", tool: "human.ask", args: { question: "How is {{item}}?" }, forEach: ["Ann", "Bob"] },
        {
          id: "parts",
          tool: "plan.run",
          args: { goal: "{{item}}", plan: { steps: [{ id: "e", tool: "flow.echo", args: { value: 1 } }] } },
          forEach: ["x", "y"],
        },
      ],
    },
  });
  const pending = async () =>
    (await client.view(planId)).approvals.flatMap(({ approvalId, question, status }) =>
      status === "pending" ? [[approvalId, question]] : [],
    );
  await expect.poll(pending).toHaveLength(2);
  expect(await pending()).toEqual([
    ["ask-ask-0-1", expect.stringContaining("How is Ann?")],
    ["ask-ask-1-1", expect.stringContaining("How is Bob?")],
  ]);
  for (const [approvalId] of (await pending()).toReversed()) {
    const body = JSON.stringify({ decision: "answer", answer: `well, ${approvalId}`, by: "me" });
    const headers = { "content-type": "application/json" };
    await client.fetch(`/v1/plans/${planId}/approvals/${approvalId}`, { method: "POST", headers, body });
  }
  const view = await client.ended(planId);
  const [ask, parts] = view.steps;
  expect(ask?.output).toEqual({
    value: [0, 1].map((item) => ({ answer: `well, ask-ask-${item}-1`, by: "me" })),
  });
  expect(new Set(parts?.items?.map(({ child }) => child)).size).toBe(2);
  expect(parts?.items?.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
});

it("runs for each of a list that is so long that it is kept as a file", async () => {
  const rows = Array.from({ length: 120 }, (_, id) => ({ id, text: "x".repeat(700) }));
  const { view } = await run({
    steps: [
      { id: "list", tool: "flow.echo", args: { value: { rows } } },
      {
        id: "ids",
        tool: "flow.echo",
        args: { value: { $ref: "item.id" } },
        forEach: { $ref: "list.output.rows" },
      },
    ],
    answerFrom: "ids",
  });
  expect(view.steps[0]?.output).toMatchObject({
    artifact: { contentType: "application/json" },
    lists: { rows: 120 },
  });
  expect(view.answer?.data).toEqual(rows.map(({ id }) => id));
});

it("gives the slot that a chain of model calls frees to the plan that waited for it", async () => {
  const { client } = shared.system;
  const asked: string[] = [];
  shared.model.play({
    write: async (call) => {
      const name = /(?:one|two|third)-\d/.exec(call.user)?.[0] ?? "none";
      asked.push(name);
      await call.hold(name);
      return name;
    },
  });
  await shared.system.end("executor");
  await shared.system.start("executor", { EXECUTOR_CONCURRENCY: "2" });
  const write = (name: string, before?: string) => ({
    id: name,
    tool: "model.write",
    args: { prompt: `Write ${name}.` },
    dependsOn: before === undefined ? [] : [before],
  });
  const chain = (name: string) =>
    [1, 2, 3].map((n) => write(`${name}-${n}`, n > 1 ? `${name}-${n - 1}` : undefined));
  const submit = (steps: object[]) => client.submit({ goal: "write it", plan: { steps } });
  const plans = [await submit(chain("one")), await submit(chain("two"))];
  await Promise.all([shared.model.reached("one-1"), shared.model.reached("two-1")]);
  plans.push(await submit([write("third-1")]));
  await expect
    .poll(async () => (await client.view(plans[2]?.planId ?? "")).steps[0]?.status)
    .toMatch(/running|queued/);
  shared.model.release("one-1");
  await shared.model.reached("third-1");
  expect(asked.toSorted()).toEqual(["one-1", "third-1", "two-1"]);
  for (const name of ["third-1", "two-1", "one-2", "two-2", "one-3", "two-3"]) shared.model.release(name);
  const views = await Promise.all(plans.map(({ planId }) => client.ended(planId)));
  expect(views.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  await shared.system.end("executor");
  await shared.system.start("executor");
});
