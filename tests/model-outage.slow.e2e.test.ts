// A model server that does not answer, in the whole system: few calls, the cause in the first line, and no plan that hangs.
import type { PlanView } from "@planwright/plan";
import { echo, judgementText, planText, startSystem, type TestSystem } from "@planwright/testkit";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

type Answer = (response: ServerResponse, role: string) => void | Promise<void>;

const Body = z.looseObject({
  response_format: z.looseObject({ json_schema: z.looseObject({ name: z.string() }).optional() }).optional(),
});

const notFound: Answer = (response) => void response.writeHead(404).end();

/** Answers calls by `answer` and other requests by `look`, which a test sets, and notes the roles that called. */
const server = { answer: (() => undefined) as Answer, look: notFound, calls: [] as string[] };
const http = createServer((request, response) => {
  if (request.method === "GET") {
    void server.look(response, "look");
    return;
  }
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Body.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const role = body.response_format?.json_schema?.name ?? "write";
    server.calls.push(role);
    await server.answer(response, role);
  })();
});
let system: TestSystem;

beforeAll(async () => {
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const env = { MODEL_PATIENCE_MS: "3000", MODEL_FIRST_BYTE_MS: "60000", MODEL_IDLE_MS: "400" };
  system = await startSystem({ alone: [], modelUrl: `http://127.0.0.1:${address.port}/v1`, env });
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  http.closeAllConnections();
  http.close();
});
beforeEach(() => {
  server.calls.length = 0;
  server.look = notFound;
});

const says =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message: "out of order" } }));
  };

const html: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<html><title>Welcome</title></html>");
};

const sends =
  (body: object | string): Answer =>
  (response) =>
    void response
      .writeHead(200, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));

const silent: Answer = () => undefined;

const breaksOff: Answer = (response) => {
  const chunk = { id: "c", model: "m", choices: [{ delta: { content: "one" } }] };
  response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(chunk)}\n\n`);
};

const CALLED = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: "{}" } }],
};

const stalls: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(": one moment\n\n");
};

const loading: Answer = (response) => {
  response.writeHead(503, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { code: 503, message: "Loading model", type: "unavailable_error" } }));
};

const ECHO = { id: "s1", tool: "flow.echo", args: { value: "said" } };

const works: Answer = (response, role) => {
  const texts: Record<string, string> = {
    plan: planText({ steps: [ECHO], answerFrom: "s1" }),
    judgement: judgementText({ text: "judged", sources: ["a"] }),
    step_review: JSON.stringify({
      approved: true,
      score: 1,
      confidence: null,
      issues: [],
      suggestion: null,
      replan: null,
    }),
  };
  const message = { role: "assistant", content: texts[role] ?? "written" };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "c", model: "m", choices: [{ message, finish_reason: "stop" }] }));
};

async function runToEnd(request: object): Promise<PlanView> {
  const { planId } = await system.client.submit(request);
  return system.client.ended(planId);
}

const firstLine = (text = ""): string => text.split("\n")[0] ?? "";

/** So that the calls are used up before the time is, on a busy machine too. */
const SOON = { "retry-after-ms": "1" };

const BROKEN: readonly (readonly [string, Answer, RegExp])[] = [
  ["answers 500 to every schema", says(500, SOON), /answered 500.*out of order/],
  ["answers 503 to everything", says(503, SOON), /answered 503/],
  ["closes every connection", (response) => void response.destroy(), /does not answer: connection/],
  ["sends an HTML page", html, /HTML page/],
  ["falls silent after the first byte", stalls, /fell silent/],
  ["accepts calls and sends nothing", silent, /does not answer: nothing came for .*does not answer GET/],
  [
    "sends an error with status 200",
    sends({ error: { message: "no GPU is free", code: 503 } }),
    /answered 200 with an error: no GPU is free/,
  ],
  ["sends an empty body", sends(""), /answered 200 with an empty body/],
  [
    "calls a tool instead of writing",
    sends({ id: "c", model: "m", choices: [{ message: CALLED, finish_reason: "tool_calls" }] }),
    /called the tool "search" instead of writing its reply/,
  ],
  [
    "redirects to another host",
    (response) => void response.writeHead(301, { location: "https://models.example/v1" }).end(),
    /redirects \(301\) from \S+ to https:\/\/models\.example\/v1: set OPENAI_BASE_URL/,
  ],
  ["asks for a longer wait than allowed", says(429, { "retry-after": "120" }), /asks to wait 120 s/],
  ["refuses the key", says(401), /answered 401.*OPENAI_API_KEY/],
];

describe.each(BROKEN)("a model server that %s", (_, answer, cause) => {
  it("fails the plan that it should draft, with the cause in the first line", async () => {
    server.answer = answer;
    server.look = answer === silent ? silent : notFound;
    const view = await runToEnd({ goal: "look it up", strategy: "parallel" });
    expect(view.status).toBe("failed");
    expect(firstLine(view.reason)).toMatch(cause);
    expect(firstLine(view.answer?.text)).toMatch(cause);
    expect(server.calls.length).toBeLessThanOrEqual(8);
  });

  it("fails the plan whose only step it should write, and receives no other call", async () => {
    server.answer = answer;
    server.look = answer === silent ? silent : notFound;
    const steps = [{ id: "a", tool: "model.write", args: { prompt: "a poem" } }];
    const view = await runToEnd({ goal: "a poem", plan: { steps } });
    expect(view.status).toBe("failed");
    expect(firstLine(view.reason)).toMatch(cause);
    expect(firstLine(view.answer?.text)).toMatch(cause);
    expect(server.calls.length).toBeLessThanOrEqual(8);
    expect(new Set(server.calls)).toEqual(new Set(["write"]));
  });
});

describe("a plan with results", () => {
  async function whenPaused(request: object): Promise<PlanView> {
    const { planId } = await system.client.submit(request);
    await expect.poll(async () => (await system.client.view(planId)).status).toBe("paused");
    return system.client.view(planId);
  }

  it.each([
    ["to answer it", { steps: [echo("a"), echo("b")] }],
    ["to review a step", { steps: [echo("a", { review: { maxIterations: 1 } })], answerFrom: "a" }],
    ["to write a step", { steps: [echo("a"), { ...echo("b"), tool: "model.write", args: { prompt: "b" } }] }],
  ])(
    "is paused with the cause when the server fails %s, and resumes with the remaining steps",
    async (_, plan) => {
      server.answer = says(500, SOON);
      const view = await whenPaused({ goal: "say a and b", plan });
      expect(view.pause).toMatchObject({ by: "planwright", reason: expect.stringMatching(/answered 500/) });
      expect(Date.parse(view.pause?.until ?? "")).toBeGreaterThan(Date.parse(view.pause?.at ?? ""));
      expect(server.calls.length).toBeLessThanOrEqual(8);
      server.answer = works;
      await system.client.fetch(`/v1/plans/${view.planId}/resume`, { method: "POST" });
      const ended = await system.client.ended(view.planId);
      expect(ended.steps.map(({ status }) => status)).not.toContain("failed");
      expect(ended.status).toBe("succeeded");
    },
  );
});

it("calls a broken server at most 8 times for a step with a budget, whatever may have cost something", async () => {
  const busy = says(503, SOON);
  // What broke off may have been counted, so that the step starts again with another allowance.
  server.answer = (...call) => (server.calls.length % 4 === 0 ? breaksOff : busy)(...call);
  const retry = { maxAttempts: 5, backoffMs: 1 };
  const steps = [{ id: "a", tool: "model.write", args: { prompt: "a poem" }, retry }];
  const view = await runToEnd({ goal: "a poem", plan: { steps }, budget: { tokens: 1_000_000 } });
  expect(view.status).toBe("failed");
  expect(firstLine(view.reason)).toMatch(/gave up after \d calls/);
  expect(server.calls.length).toBeLessThanOrEqual(8);
});

it("waits for a server that is silent over a long prompt as long as it answers other requests, and reports that", async () => {
  let looks = 0;
  server.look = (response) => {
    looks += 1;
    response.end("{}");
  };
  server.answer = async (response, role) => {
    // Two windows without a byte.
    await expect.poll(() => looks).toBeGreaterThanOrEqual(role === "plan" ? 2 : 0);
    await works(response, role);
  };
  const { planId, status } = await runToEnd({ goal: "look it up", strategy: "parallel" });
  expect(status).toBe("succeeded");
  const said: string[] = [];
  for await (const { event } of system.client.events(planId)) {
    if (event.type === "model.failed") said.push(event.data.tries.message);
    if (event.type === "plan.ended") break;
  }
  expect(said[0]).toMatch(/^the model server has sent nothing for \d+ m?s$/);
  expect(said.join("\n")).toContain("but answers other requests");
  expect(server.calls.filter((role) => role === "plan")).toHaveLength(1);
});

it("shows why a plan waits while its draft is requested again", async () => {
  const busy = says(429, SOON);
  server.answer = (...call) => (server.calls.length > 1 ? works : busy)(...call);
  const { planId, status } = await runToEnd({ goal: "look it up", strategy: "parallel" });
  expect(status).toBe("succeeded");
  for await (const { seq, event } of system.client.events(planId)) {
    if (event.type !== "model.failed") continue;
    const response = await system.client.fetch(`/v1/plans/${planId}?seq=${seq}`);
    const { modelTries } = (await response.json()) as PlanView;
    expect(modelTries).toMatchObject({ calls: 1, callsMax: 8, message: expect.stringContaining("429") });
    return;
  }
  throw new Error("no failed call is in the log");
});

it("waits for a server that loads its model", async () => {
  server.answer = (...call) => (server.calls.length > 1 ? works : loading)(...call);
  const view = await runToEnd({ goal: "look it up", strategy: "parallel" });
  expect(view.status).toBe("succeeded");
});
