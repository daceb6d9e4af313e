// Spans over OTLP/HTTP, in both formats, and the plan traces built from them.
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const json = async (response: Promise<Response>) =>
  (await response).json() as Promise<Record<string, unknown>>;

type Span = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

/** One failed span, as serialized by OpenTelemetry itself. */
function requestInProtobuf(ids: { traceId: string; spanId: string; parentSpanId: string }) {
  const contextOf = (spanId: string) => ({ traceId: ids.traceId, spanId, traceFlags: 1 });
  const resource: Span["resource"] = {
    attributes: { "service.name": "théirs" },
    merge: () => resource,
    getRawAttributes: () => [],
  };
  const span: Span = {
    name: "GET",
    kind: 2,
    spanContext: () => contextOf(ids.spanId),
    parentSpanContext: contextOf(ids.parentSpanId),
    startTime: [1_700_000_000, 1],
    endTime: [1_700_000_000, 9],
    duration: [0, 8],
    status: { code: 2, message: "broke" },
    attributes: { n: -7, list: ["x"] },
    links: [{ context: contextOf("c".repeat(16)), attributes: { "plan.id": "other" } }],
    events: [{ name: "exception", time: [1_700_000_000, 5], attributes: { "exception.type": "Error" } }],
    ended: true,
    resource,
    instrumentationScope: { name: "test" },
    droppedAttributesCount: 0,
    droppedEventsCount: 2,
    droppedLinksCount: 0,
  };
  return Uint8Array.from(ProtobufTraceSerializer.serializeRequest([span]) ?? []);
}

describe("the trace of a plan", () => {
  const span = (traceId: string, spanId: string, start: string, more: object = {}) => ({
    traceId,
    spanId,
    name: "plan",
    kind: 5,
    startTimeUnixNano: start,
    endTimeUnixNano: `${start}0`,
    attributes: [
      { key: "plan.id", value: { stringValue: "p" } },
      { key: "n", value: { intValue: "7" } },
      { key: "list", value: { arrayValue: { values: [{ boolValue: true }] } } },
    ],
    status: { code: 2, message: "broke" },
    ...more,
  });
  const send = (spans: object[], headers: Record<string, string> = {}) => {
    const resource = { attributes: [{ key: "service.name", value: { stringValue: "planner" } }] };
    return gateway.post(
      "/otlp/v1/traces",
      { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] },
      headers,
    );
  };

  it("contains the received spans, in order, once each", async () => {
    const { planId, traceId } = await gateway.submit(TWO_STEPS);
    const { trace: known } = (await json(gateway.get(`/v1/plans/${planId}`))) as {
      trace: { spanId: string };
    };
    const second = span(traceId, "2".repeat(16), "1700000000000000002", {
      parentSpanId: "1".repeat(16),
      status: {},
    });
    const first = span(traceId, "1".repeat(16), "1700000000000000001", { parentSpanId: known.spanId });
    const strange = span(traceId, "3".repeat(16), "1700000000000000003");
    expect(await json(send([second, first, strange]))).toEqual({});
    await send([second]);
    const trace = await json(gateway.get(`/v1/plans/${planId}/trace`));
    expect(trace).toMatchObject({
      traceId,
      spans: [
        {
          spanId: "1".repeat(16),
          service: "planner",
          kind: "consumer",
          startTimeUnixNano: "1700000000000000001",
          attributes: { "plan.id": "p", n: 7, list: [true] },
          status: "error",
          statusMessage: "broke",
        },
        { spanId: "2".repeat(16), parentSpanId: "1".repeat(16), status: "unset" },
      ],
    });
    expect(trace["spans"]).toHaveLength(2);
  });

  it("is empty for a plan whose spans were sent elsewhere", async () => {
    const { planId, traceId } = await gateway.submit(TWO_STEPS);
    expect(await json(gateway.get(`/v1/plans/${planId}/trace`))).toMatchObject({ traceId, spans: [] });
  });

  it("is received as Protocol Buffers too, plain or compressed, and answered in the same format", async () => {
    const { planId, traceId } = await gateway.submit(TWO_STEPS);
    const { trace: known } = (await json(gateway.get(`/v1/plans/${planId}`))) as {
      trace: { spanId: string };
    };
    const bytes = requestInProtobuf({ traceId, spanId: "a".repeat(16), parentSpanId: known.spanId });
    const post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}/otlp/v1/traces`, {
        method: "POST",
        body,
        headers: { "content-type": "application/x-protobuf", ...headers },
      });
    for (const packed of [false, true]) {
      const answer = packed ? post(gzipSync(bytes), { "content-encoding": "gzip" }) : post(bytes);
      const { status, headers } = await answer;
      expect([status, headers.get("content-type")]).toEqual([200, "application/x-protobuf"]);
    }
    const trace = await json(gateway.get(`/v1/plans/${planId}/trace`));
    expect(trace).toMatchObject({
      sampled: true,
      dropped: 0,
      evicted: false,
      keptSince: expect.stringMatching(/^2.*Z$/),
      spans: [
        {
          spanId: "a".repeat(16),
          service: "théirs",
          kind: "client",
          status: "error",
          statusMessage: "broke",
          attributes: { n: -7, list: ["x"] },
          events: [{ name: "exception", timeUnixNano: "1700000000000000005" }],
          links: [{ spanId: "c".repeat(16), attributes: { "plan.id": "other" } }],
          dropped: { attributes: 0, events: 2, links: 0 },
        },
      ],
    });
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    const refused = await post(bomb, { "content-encoding": "gzip" });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([413, "application/x-protobuf"]);
    // A gRPC status: its second field is the message.
    expect(
      Buffer.from(await refused.arrayBuffer())
        .subarray(2)
        .toString(),
    ).toContain("unpacked");
    expect((await post(Buffer.from([0x0a, 0x05]))).status).toBe(400);
  });

  it("is not accepted in other forms, and reports how many spans were invalid", async () => {
    const text = await send([], { "content-type": "text/plain" });
    expect([text.status, await text.json()]).toMatchObject([
      415,
      { detail: expect.stringContaining("http/protobuf") },
    ]);
    expect((await send([], { "content-encoding": "br" })).status).toBe(415);
    expect((await gateway.post("/otlp/v1/traces", { resourceSpans: [1] })).status).toBe(400);
    expect(await json(send([span("xyz", "1", "now")]))).toEqual({
      partialSuccess: { rejectedSpans: "1", errorMessage: expect.stringContaining("spans[0].traceId") },
    });
  });

  it("comes from the gateway itself when it is its own receiver", async () => {
    const probe = await system.gateway({ folder: "probe" });
    const { port } = new URL(probe.url);
    await probe[Symbol.asyncDispose]();
    const endpoint = `http://127.0.0.1:${port}/otlp`;
    await using traced = await system.gateway({
      folder: "traced",
      env: { PORT: port, PLANWRIGHT_TRACE_RECEIVER: endpoint },
    });
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const { planId } = await traced.submit(TWO_STEPS, { traceparent });
    await expect
      .poll(async () => ((await json(traced.get(`/v1/plans/${planId}/trace`)))["spans"] as object[]).length)
      .toBe(2);
    const { spans } = (await json(traced.get(`/v1/plans/${planId}/trace`))) as {
      spans: Record<string, unknown>[];
    };
    const server = spans.find(({ kind }) => kind === "server");
    expect(server).toMatchObject({
      name: "POST /v1/plans",
      parentSpanId: "00f067aa0ba902b7",
      service: "gateway",
    });
    expect(spans.find(({ kind }) => kind === "producer")).toMatchObject({
      name: "send plan.control",
      parentSpanId: server?.["spanId"],
      attributes: { "plan.id": planId, "messaging.system": "nats" },
    });
    const { trace } = (await json(traced.get(`/v1/plans/${planId}`))) as { trace: Record<string, unknown> };
    expect(trace).toMatchObject({ sampled: true, parentSpanId: server?.["spanId"] });
  });
});
