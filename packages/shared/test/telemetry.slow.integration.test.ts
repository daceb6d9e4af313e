// Spans as received over HTTP by a real OTLP receiver.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { createLogger } from "../src/service/index.ts";
import {
  childIds,
  extractTrace,
  injectTrace,
  newTraceIds,
  noTelemetry,
  processSpan,
  sendSpan,
  startTelemetry,
  withSpan,
} from "../src/telemetry/index.ts";
import { startOtlpReceiver } from "@planwright/testkit";

const PRODUCER = 4;
const CONSUMER = 5;
const ERROR = 2;

describe("spans", () => {
  it("form one chain across two services and a message", async () => {
    await using receiver = await startOtlpReceiver();
    await using gateway = startTelemetry({ service: "gateway", endpoint: receiver.url });
    await using planner = startTelemetry({ service: "planner", endpoint: `${receiver.url}/` });
    const headers = new Map<string, string>();
    const carrier = { get: (name: string) => headers.get(name) ?? "", set: headers.set.bind(headers) };

    const root = gateway.rootSpan(newTraceIds({ sampled: true }), "POST /v1/plans", { kind: "server" });
    const sent = sendSpan(gateway, root.ids, {
      destination: "work.plan",
      subject: "work.plan.p1",
      messageId: "p1/1",
    });
    injectTrace(carrier, sent.ids);
    sent.end();
    root.end();
    await withSpan(
      processSpan(planner, extractTrace(carrier), { destination: "work.plan", deliveries: 1 }),
      async (span) => span.setAttributes({ "plan.id": "p1", "step.id": undefined }),
    );
    await Promise.all([gateway.flush(), planner.flush()]);

    const [post, send, process] = ["POST /v1/plans", "send work.plan", "process work.plan"].map((name) =>
      receiver.span(name),
    );
    expect(post).toMatchObject({ service: "gateway", traceId: root.ids.traceId, spanId: root.ids.spanId });
    expect(post?.parentSpanId).toBeUndefined();
    expect(send).toMatchObject({ service: "gateway", kind: PRODUCER, parentSpanId: post?.spanId });
    expect(process).toMatchObject({
      service: "planner",
      kind: CONSUMER,
      traceId: root.ids.traceId,
      parentSpanId: send?.spanId,
      links: [{ traceId: root.ids.traceId, spanId: send?.spanId }],
    });
    expect(send?.attributes).toEqual({
      "messaging.system": "nats",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": "work.plan.p1",
      "messaging.destination.template": "work.plan",
      "messaging.message.id": "p1/1",
    });
    expect(process?.attributes).toMatchObject({ "plan.id": "p1", "messaging.nats.deliveries": 1 });
    expect(process?.attributes).not.toHaveProperty("step.id");
    expect(receiver.requests[0]?.path).toBe("/v1/traces");
  });

  it("are emitted at the end with ids and times that were set before", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({ service: "planner", endpoint: receiver.url });
    const submission = newTraceIds({ sampled: true });
    const workflow = childIds(submission);

    telemetry.spanFrom(workflow, "plan").end();
    telemetry.emitSpan({
      ids: workflow,
      parentSpanId: submission.spanId,
      name: "invoke_workflow",
      startTimeMs: 1_700_000_000_000.25,
      endTimeMs: 1_700_000_060_000.5,
      attributes: { "plan.id": "p1" },
    });
    await telemetry.flush();

    expect(receiver.span("invoke_workflow")).toMatchObject({
      traceId: submission.traceId,
      spanId: workflow.spanId,
      parentSpanId: submission.spanId,
      startTimeUnixNano: "1700000000000250000",
      endTimeUnixNano: "1700000060000500000",
    });
    expect(receiver.span("plan").parentSpanId).toBe(workflow.spanId);
  });

  it("report why they failed", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({ service: "executor", endpoint: receiver.url });
    const span = telemetry.rootSpan(newTraceIds({ sampled: true }), "execute_tool math.evaluate");
    await expect(withSpan(span, () => Promise.reject(new TypeError("no such variable: x")))).rejects.toThrow(
      "no such",
    );
    await telemetry.flush();
    const received = receiver.span("execute_tool math.evaluate");
    expect(received).toMatchObject({
      status: { code: ERROR, message: "no such variable: x" },
      attributes: { "error.type": "TypeError" },
    });
    expect(received.events.map(({ name }) => name)).toEqual(["exception"]);
  });

  it("do not count as failures when they are cancelled", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({ service: "executor", endpoint: receiver.url });
    const span = telemetry.rootSpan(newTraceIds({ sampled: true }), "execute_tool flow.wait");
    span.fail(new DOMException("plan cancelled", "AbortError"));
    span.end();
    await telemetry.flush();
    expect(receiver.span("execute_tool flow.wait")).toMatchObject({
      attributes: { cancelled: true },
      events: [],
    });
    expect(receiver.span("execute_tool flow.wait").status.code ?? 0).toBe(0);
  });

  it("end once, and limit their content (SPAN-1)", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({ service: "executor", endpoint: receiver.url });
    const span = telemetry.rootSpan(newTraceIds({ sampled: true }), "busy", {
      attributes: { text: "x".repeat(100_000) },
    });
    for (let index = 0; index < 1_000; index++) span.addEvent("tick");
    span.end();
    span.end();
    await telemetry.flush();
    expect(String(receiver.span("busy").attributes["text"])).toHaveLength(65_536);
    expect(receiver.span("busy").events).toHaveLength(128);
  });

  it("have separate service names and headers for four services in one process", async () => {
    await using receiver = await startOtlpReceiver();
    const ids = newTraceIds({ sampled: true });
    for (const service of ["gateway", "planner", "executor", "reflector"]) {
      await using telemetry = startTelemetry({
        service,
        endpoint: receiver.url,
        headers: { authorization: "Bearer k" },
      });
      telemetry.spanFrom(ids, service).end();
    }
    expect(receiver.spans.map(({ service }) => service)).toEqual([
      "gateway",
      "planner",
      "executor",
      "reflector",
    ]);
    expect(receiver.requests[0]?.headers["authorization"]).toBe("Bearer k");
  });
});

describe("a plan that is not sampled", () => {
  it("leaves no span, and passes its parent on unchanged (SPAN-2)", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({ service: "planner", endpoint: receiver.url });
    const ids = newTraceIds({ sampled: false });
    const root = telemetry.rootSpan(ids, "POST /v1/plans");
    const child = telemetry.spanFrom(root.ids, "plan");
    expect(child.ids).toEqual(ids);
    child.end();
    root.end();
    telemetry.emitSpan({ ids, name: "invoke_workflow", startTimeMs: 1, endTimeMs: 2 });
    telemetry.rootSpan(newTraceIds({ sampled: true }), "other").end();
    await telemetry.flush();
    expect(receiver.spans.map(({ name }) => name)).toEqual(["other"]);
  });

  it("still leaves a span for each failure, in the plan's trace, with its real duration (SPAN-3)", async () => {
    await using receiver = await startOtlpReceiver();
    let nowMs = 1_000;
    await using telemetry = startTelemetry({ service: "executor", endpoint: receiver.url, now: () => nowMs });
    const ids = newTraceIds({ sampled: false });
    const span = telemetry.spanFrom(ids, "execute_tool http.fetch", { attributes: { "step.id": "s1" } });
    nowMs = 1_250;
    span.fail(new Error("no route to host"));
    span.end();
    telemetry.spanFrom(ids, "cancelled").fail(new DOMException("stop", "AbortError"));
    await telemetry.flush();
    expect(receiver.spans).toMatchObject([
      {
        name: "execute_tool http.fetch",
        traceId: ids.traceId,
        parentSpanId: ids.spanId,
        startTimeUnixNano: "1000000000",
        endTimeUnixNano: "1250000000",
        status: { code: ERROR, message: "no route to host" },
        attributes: { "step.id": "s1", "plan.sampled": false },
      },
    ]);
    expect(receiver.spans[0]?.spanId).not.toBe(ids.spanId);
  });
});

describe("a receiver that fails", () => {
  it("is reported once, and delays nothing", async () => {
    const lines: { msg: string }[] = [];
    const log = createLogger({ name: "planner" }, { write: (line) => void lines.push(JSON.parse(line)) });
    const { url, server } = await startSilentServer();
    server.close();
    await once(server, "close");
    const telemetry = startTelemetry({ service: "planner", endpoint: url, log });
    for (let index = 0; index < 1_000; index++)
      telemetry.rootSpan(newTraceIds({ sampled: true }), "lost").end();
    await telemetry[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 60_000 });
    expect(lines[0]?.msg).toBe("traces cannot be delivered");
  });

  it("does not keep a stopping process alive when it never answers", async () => {
    const { url, server } = await startSilentServer();
    const fixture = fileURLToPath(new URL("./fixtures/traced-process.ts", import.meta.url));
    const child = spawn(process.execPath, [fixture, url], { stdio: "inherit" });
    try {
      expect(await once(child, "exit", { signal: AbortSignal.timeout(100_000) })).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
      server.close();
    }
  });
});

/** Accepts connections and sends nothing. */
async function startSilentServer() {
  const server = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, server };
}

it("sends spans to two receivers when two are set, and to one when the other is missing", async () => {
  await using first = await startOtlpReceiver();
  const second = await startOtlpReceiver();
  const also = [{ endpoint: second.url, headers: { "x-key": "k" } }];
  await using telemetry = startTelemetry({ service: "planner", endpoint: first.url, also });
  const end = async (name: string): Promise<void> => {
    telemetry.rootSpan(newTraceIds({ sampled: true }), name).end();
    await telemetry.flush();
  };
  await end("both");
  expect([first.span("both").spanId]).toEqual([second.span("both").spanId]);
  expect(second.requests[0]?.headers["x-key"]).toBe("k");
  await second[Symbol.asyncDispose]();
  await end("one");
  expect(first.span("one").service).toBe("planner");
});

it("passes parents on when tracing is switched off", () => {
  const ids = newTraceIds({ sampled: true });
  expect(startTelemetry({ service: "planner" })).toBe(noTelemetry);
  expect(noTelemetry.spanFrom(ids, "plan").ids).toEqual(ids);
});
