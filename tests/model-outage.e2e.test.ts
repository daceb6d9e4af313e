// A model server that does not answer, in the whole system: few calls, the cause in the first line, and no plan that hangs.
import type { PlanView } from "@planwright/plan";
import { judgementText, planText, startSystem, type TestSystem } from "@planwright/testkit";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

type Answer = (response: ServerResponse, role: string) => void;

const Body = z.looseObject({
  response_format: z.looseObject({ json_schema: z.looseObject({ name: z.string() }).optional() }).optional(),
});

/** Answers by `answer`, which a test sets, and notes the roles that called. */
const server = { answer: (() => undefined) as Answer, calls: [] as string[], url: "" };
const http = createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Body.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const role = body.response_format?.json_schema?.name ?? "write";
    server.calls.push(role);
    server.answer(response, role);
  })();
});
let system: TestSystem;

beforeAll(async () => {
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const env = { MODEL_PATIENCE_MS: "1200", MODEL_FIRST_BYTE_MS: "700", MODEL_IDLE_MS: "400" };
  system = await startSystem({ modelUrl: `http://127.0.0.1:${address.port}/v1`, env });
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  http.closeAllConnections();
  http.close();
});
beforeEach(() => {
  server.calls.length = 0;
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

const BROKEN: readonly (readonly [string, Answer, RegExp])[] = [
  ["answers 500 to every schema", says(500), /answered 500.*out of order/],
  ["answers 503 to everything", says(503), /answered 503/],
  ["closes every connection", (response) => void response.destroy(), /does not answer: connection/],
  ["sends an HTML page", html, /HTML page/],
  ["falls silent after the first byte", stalls, /fell silent/],
  ["asks for a longer wait than allowed", says(429, { "retry-after": "120" }), /asks to wait 120 s/],
  ["refuses the key", says(401), /answered 401.*OPENAI_API_KEY/],
];

describe.each(BROKEN)("a model server that %s", (_, answer, cause) => {
  it("fails the plan that it should draft, with the cause in the first line", async () => {
    server.answer = answer;
    const view = await runToEnd({ goal: "look it up", strategy: "parallel" });
    expect(view.status).toBe("failed");
    expect(firstLine(view.reason)).toMatch(cause);
    expect(firstLine(view.answer?.text)).toMatch(cause);
    expect(server.calls.length).toBeLessThanOrEqual(8);
  });

  it("fails the plan whose only step it should write, and is asked for nothing else", async () => {
    server.answer = answer;
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
  const echo = (id: string, more: object = {}) => ({ id, tool: "flow.echo", args: { value: id }, ...more });

  async function whenPaused(request: object): Promise<PlanView> {
    const { planId } = await system.client.submit(request);
    await expect.poll(async () => (await system.client.view(planId)).status).toBe("paused");
    return system.client.view(planId);
  }

  it.each([
    ["to answer it", { steps: [echo("a"), echo("b")] }],
    ["to review a step", { steps: [echo("a", { review: { maxIterations: 1 } })], answerFrom: "a" }],
    ["to write a step", { steps: [echo("a"), { ...echo("b"), tool: "model.write", args: { prompt: "b" } }] }],
  ])("is paused with the cause when the server fails %s, and resumes with what is left", async (_, plan) => {
    server.answer = says(500);
    const view = await whenPaused({ goal: "say a and b", plan });
    expect(view.pause).toMatchObject({ by: "planwright", reason: expect.stringMatching(/answered 500/) });
    expect(Date.parse(view.pause?.until ?? "")).toBeGreaterThan(Date.parse(view.pause?.at ?? ""));
    expect(server.calls.length).toBeLessThanOrEqual(8);
    server.answer = works;
    await system.client.fetch(`/v1/plans/${view.planId}/resume`, { method: "POST" });
    const ended = await system.client.ended(view.planId);
    expect(ended.steps.map(({ status }) => status)).not.toContain("failed");
    expect(ended.status).toBe("succeeded");
  });
});

it("shows why a plan waits while its draft is asked for again", async () => {
  const busy = says(429, { "retry-after-ms": "1" });
  server.answer = (response, role) => (server.calls.length > 1 ? works : busy)(response, role);
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
  server.answer = (response, role) => (server.calls.length > 1 ? works : loading)(response, role);
  const view = await runToEnd({ goal: "look it up", strategy: "parallel" });
  expect(view.status).toBe("succeeded");
});
