// Several tool calls in one turn of an agent loop: reads overlap, effects wait, and a crash or a person repeats nothing.
import { readBlocks, textOf } from "@planwright/offline-model";
import type { PlanId } from "@planwright/plan";
import { type ReceivedSpan, startEffectCounter, startOtlpReceiver } from "@planwright/testkit";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeEach, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

type Call = readonly [tool: string, args: object];

const turn = (calls: readonly Call[], result: string | null = null): string =>
  JSON.stringify({
    thought: "so",
    calls: calls.map(([tool, args]) => ({ tool, argsJson: JSON.stringify(args) })),
    result,
    requiresReplan: false,
    reason: null,
  });

const looping = (tools: readonly string[], more: object = {}) => ({
  goal: "try it",
  plan: {
    steps: [{ id: "loop", tool: "agent.react", args: { goal: "try it", tools, ...more } }],
    answerFrom: "loop",
  },
});

/** A server whose pages are answered when the test says so; `requests` has every path that was asked for, in order. */
async function startHeldPages() {
  const requests: string[] = [];
  const waiting = new Map<string, ServerResponse[]>();
  const free = new Set<string>();
  let barrier: { readonly size: number; readonly held: (() => void)[] } | undefined;
  const answer = (response: ServerResponse, path: string): void => {
    response.writeHead(path === "/gone" ? 404 : 200, { "content-type": "text/plain" }).end(`page ${path}`);
  };
  const server = createServer(({ url: path = "" }, response) => {
    requests.push(path);
    if (barrier !== undefined) {
      const { held, size } = barrier;
      held.push(() => answer(response, path));
      if (held.length < size) return;
      barrier = undefined;
      for (const release of held) release();
      return;
    }
    if (free.has(path)) return answer(response, path);
    waiting.set(path, [...(waiting.get(path) ?? []), response]);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    host,
    requests,
    call: (path: string): Call => ["http.fetch", { url: `http://${host}${path}` }],
    /** Answers none of the next requests before there are so many. */
    answerTogether(size: number): void {
      barrier = { size, held: [] };
    },
    /** Answers all requests for these pages, those that wait too. */
    release(...paths: string[]): void {
      for (const path of paths) {
        free.add(path);
        for (const response of waiting.get(path) ?? []) answer(response, path);
        waiting.delete(path);
      }
    },
    /** Begins again as if nothing had been asked for. */
    forget(): void {
      requests.length = 0;
      waiting.clear();
      free.clear();
      barrier = undefined;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const pages = await startHeldPages();
const effects = await startEffectCounter();
afterAll(() => Promise.all([pages, effects].map((server) => server[Symbol.asyncDispose]())));
beforeEach(() => {
  pages.forget();
  effects.forget();
});
const shared = sharedSystem({
  services: { executor: { HTTP_FETCH_ALLOW: `${pages.host},${effects.host}` } },
});

const countOf = (list: readonly string[], what: string) => list.filter((one) => one === what).length;

/** What the model was shown of the turns before its call of this number, from 0. */
function shownTo(number: number): unknown {
  const call = shared.model.calls("react_turn")[number];
  if (call === undefined) throw new Error("the model was not asked so often");
  return JSON.parse(readBlocks(textOf(call.request, "user")).get("results") ?? "[]");
}

async function restart(env: Record<string, string>) {
  await shared.system.end("executor");
  return shared.system.start("executor", env);
}

async function decide(planId: PlanId, body: object): Promise<void> {
  const { client } = shared.system;
  const approvals = async () => (await client.view(planId)).approvals;
  await expect.poll(async () => (await approvals()).length, { timeout: 30_000 }).toBe(1);
  const asked = (await approvals())[0];
  const response = await client.fetch(`/v1/plans/${planId}/approvals/${asked?.approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

it("runs the reads of one turn at the same time, and shows each of them in the log, the view and the trace", async () => {
  await using receiver = await startOtlpReceiver();
  const calls = ["/a", "/b", "/c"].map(pages.call);
  const { model, system } = shared;
  model.play({ react_turn: [turn(calls), turn([], "three pages")] });
  await restart({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  // No page is answered before all three were asked for: one after the other would wait for ever.
  pages.answerTogether(3);
  const { planId, traceId } = await system.client.submit(looping(["http.fetch"]));
  const told: string[] = [];
  for await (const { event } of system.client.events(planId)) {
    if (event.type === "turn.started") told.push(`${event.data.turn} of ${event.data.calls.length}`);
    if (event.type === "turn.taken") told.push(`${event.data.turn}_${event.data.call}`);
    if (event.type === "plan.ended") break;
  }
  expect(told[0]).toBe("1 of 3");
  expect(told.slice(1).toSorted()).toEqual(["1_1", "1_2", "1_3"]);
  const view = await system.client.view(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { data: { result: "three pages", turns: 1 } } });
  expect(view.steps[0]?.turns).toMatchObject(
    calls.map(([tool, args], index) => ({ turn: 1, call: index + 1, thought: "so", tool, args })),
  );
  expect(view.steps[0]?.turns?.map(({ output }) => JSON.stringify(output))).toEqual(
    ["/a", "/b", "/c"].map((path) => expect.stringContaining(`page ${path}`)),
  );
  expect([model.count("react_turn"), pages.requests.length]).toEqual([2, 3]);

  const spans = (): ReceivedSpan[] =>
    receiver.spans.filter((one) => one.traceId === traceId && one.name === "execute_tool http.fetch");
  await expect.poll(() => spans().length, { timeout: 20_000 }).toBe(3);
  const ids = new Set(spans().map(({ attributes }) => attributes["gen_ai.tool.call.id"]));
  expect(ids).toEqual(new Set([1, 2, 3].map((call) => `${planId}/loop/0/turn/1_${call}`)));
  const parents = new Set(spans().map(({ parentSpanId }) => parentSpanId));
  await expect
    .poll(() => receiver.spans.filter(({ spanId }) => parents.has(spanId)).map(({ name }) => name), {
      timeout: 20_000,
    })
    .toEqual(["execute_tool agent.react"]);
});

it("makes only the calls that have no outcome when its worker dies in the middle of a turn", async () => {
  const { system, model } = shared;
  model.play({ react_turn: [turn(["/a", "/b", "/c"].map(pages.call)), turn([], "done")] });
  // The first event of a turn is its start, the second one the first outcome.
  const doomed = await restart({ PLANWRIGHT_FAULTS: "turn.after-publish=kill@2" });
  pages.release("/b");
  const { planId } = await system.client.submit(looping(["http.fetch"]));
  expect(await doomed.ended).toBe("SIGKILL");
  const between = await system.client.view(planId);
  expect(between.steps[0]?.turns).toMatchObject([
    { call: 1, open: true },
    { call: 2, output: { value: expect.anything() } },
    { call: 3, open: true },
  ]);
  pages.release("/a", "/c");
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { data: { result: "done", turns: 1 } } });
  expect(["/a", "/b", "/c"].map((path) => countOf(pages.requests, path))).toEqual([2, 1, 2]);
  expect(view.steps[0]?.turns?.map(({ call, open }) => [call, open])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ]);
  expect(model.count("react_turn")).toBe(2);
  expect(shownTo(1)).toMatchObject([
    { turn: 1, thought: "so", calls: ["/a", "/b", "/c"].map((path) => ({ args: pages.call(path)[1] })) },
  ]);
});

it("takes effect once in a call of a turn whose worker dies after it (CALL-1)", async () => {
  const { system, model } = shared;
  const send = (n: number): Call => [
    "http.send",
    { url: effects.url("plain"), checkUrl: effects.url("check"), body: { n } },
  ];
  model.play({ react_turn: [turn([send(1), send(2)]), turn([], "sent")] });
  const doomed = await restart({ PLANWRIGHT_FAULTS: "effect.after-run=kill" });
  const request = { ...looping(["http.send"]), approval: { risk: "never" } } as const;
  const { planId } = await system.client.submit(request);
  expect(await doomed.ended).toBe("SIGKILL");
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect([...effects.counts()]).toEqual([
    [`${planId}/loop/0/1_1`, 1],
    [`${planId}/loop/0/1_2`, 1],
  ]);
  expect(view.effects.slice(-2)).toMatchObject([
    { turn: 1, call: 1, status: "done" },
    { turn: 1, call: 2, status: "done" },
  ]);
  expect([view.status, model.count("react_turn")]).toEqual(["succeeded", 2]);
});

it("asks a user at the effect between two reads, and repeats nothing of the turn afterwards", async () => {
  const { system, model } = shared;
  pages.release("/before", "/after");
  const send: Call = ["http.send", { url: effects.url("plain"), body: { n: 1 } }];
  model.play({
    react_turn: [turn([pages.call("/before"), send, pages.call("/after")]), turn([], "sent")],
  });
  const { planId } = await system.client.submit(looping(["http.fetch", "http.send"]));
  await expect
    .poll(async () => (await system.client.view(planId)).approvals, { timeout: 30_000 })
    .toMatchObject([
      { approvalId: "call-loop-0-1_2-1", kind: "tool-risk", details: { turn: 1, call: 2 }, args: send[1] },
    ]);
  // Nothing after the effect has begun while it waits.
  expect([pages.requests, effects.requests]).toEqual([["/before"], []]);
  await decide(planId, { decision: "approve", by: "ann" });
  const view = await system.client.ended(planId);
  expect([pages.requests, [...effects.counts()]]).toEqual([
    ["/before", "/after"],
    [[`${planId}/loop/0/1_2`, 1]],
  ]);
  expect(view.steps[0]?.turns?.map(({ call, tool, attempt }) => [call, tool, attempt])).toEqual([
    [1, "http.fetch", 1],
    [2, "http.send", 2],
    [3, "http.fetch", 2],
  ]);
  expect([view.status, model.count("react_turn")]).toEqual(["succeeded", 2]);
});

it("continues with the rest of a turn when a user rejects one of its calls", async () => {
  const { system, model } = shared;
  pages.release("/after", "/gone");
  const send: Call = ["http.send", { url: effects.url("plain"), body: { n: 1 } }];
  const unknown: Call = ["http.find", {}];
  const calls = [pages.call("/gone"), unknown, send, pages.call("/after")];
  model.play({ react_turn: [turn(calls), turn([], "not sent")] });
  const { planId } = await system.client.submit(looping(["http.fetch", "http.send"]));
  await decide(planId, { decision: "reject", by: "bob", reason: "not now" });
  const view = await system.client.ended(planId);
  expect([view.status, effects.requests, pages.requests]).toEqual(["succeeded", [], ["/gone", "/after"]]);
  // One call that fails does not lose the others, and the model sees every result in the order of its calls.
  expect(shownTo(1)).toMatchObject([
    {
      turn: 1,
      calls: [
        { tool: "http.fetch", error: expect.stringContaining("404") },
        { error: expect.stringContaining('no tool "http.find"') },
        { tool: "http.send", error: "rejected by bob: not now" },
        { tool: "http.fetch", output: expect.anything() },
      ],
    },
  ]);
});

it("stops in the middle of a turn when its plan is cancelled", async () => {
  const { system, model } = shared;
  pages.release("/a");
  const send: Call = ["http.send", { url: effects.url("plain"), body: { n: 1 } }];
  model.play({ react_turn: [turn([pages.call("/a"), pages.call("/b"), send]), turn([], "sent")] });
  const request = { ...looping(["http.fetch", "http.send"]), approval: { risk: "never" } } as const;
  const { planId } = await system.client.submit(request);
  const turns = async () => (await system.client.view(planId)).steps[0]?.turns ?? [];
  await expect.poll(async () => (await turns()).filter(({ open }) => open !== true).length).toBe(1);
  const cancelled = await system.client.fetch(`/v1/plans/${planId}/cancel`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason: "enough" }),
  });
  expect(cancelled.ok).toBe(true);
  const view = await system.client.ended(planId);
  pages.release("/b");
  // Whatever was under way is over once a plan that came later is.
  const later = { steps: [{ id: "later", tool: "flow.echo", args: { value: 1 } }], answerFrom: "later" };
  await system.client.ended((await system.client.submit({ goal: "come later", plan: later })).planId);
  expect([view.status, pages.requests.toSorted(), effects.requests]).toEqual(["cancelled", ["/a", "/b"], []]);
  expect(view.steps[0]?.turns?.map(({ call, open }) => [call, open])).toEqual([
    [1, undefined],
    [2, true],
    [3, true],
  ]);
  expect(model.count("react_turn")).toBe(1);
});

it("counts tool calls against maxCalls, and lets the model finish without more", async () => {
  const { system, model } = shared;
  const add = (n: number): Call => ["math.evaluate", { expression: `1 + ${n}` }];
  model.play({ react_turn: [turn([add(1), add(2), add(3)]), turn([add(4)]), turn([], "two sums")] });
  const { planId } = await system.client.submit(looping(["math.evaluate"], { maxCalls: 2 }));
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { data: { result: "two sums", turns: 2 } } });
  expect(view.steps[0]?.turns?.map(({ error }) => error?.code)).toEqual([
    undefined,
    undefined,
    "react_calls_exceeded",
    "react_calls_exceeded",
  ]);
  const [first, second] = model.calls("react_turn").map(({ request }) => textOf(request, "user"));
  expect(first).toContain("Turns left: 12. Calls left: 2.");
  expect(second).toContain("Turns left: 11. Calls left: 0.");
});

it("states to the model the date on which the step began, in every attempt, after the constant parts", async () => {
  const { system, model } = shared;
  model.play({ react_turn: [turn([["math.evaluate", { expression: "1 + 1" }]]), turn([], "2")] });
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "turn.after-publish=kill" });
  const { planId } = await system.client.submit(looping(["math.evaluate"]));
  expect(await doomed.ended).toBe("SIGKILL");
  await system.start("executor");
  const view = await system.client.ended(planId);
  const prompts = model.calls("react_turn").map(({ request }) => textOf(request, "user"));
  const today = view.steps[0]?.startedAt?.slice(0, 10);
  expect(prompts).toHaveLength(2);
  for (const prompt of prompts) expect(readBlocks(prompt).get("today")).toBe(today);
  const [first = "", second = ""] = prompts;
  const constant = first.slice(0, first.indexOf("Turns left"));
  expect(second.startsWith(constant)).toBe(true);
  expect(constant).toMatch(/^<tools>[\s\S]*<today>[\s\S]*<task>/);
});
