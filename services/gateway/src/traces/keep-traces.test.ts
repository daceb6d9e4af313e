import { PlanId, PlanTrace } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { expect, it } from "vitest";
import { gzipSync } from "node:zlib";
import { keepTraces, type OtlpBody } from "./keep-traces.ts";

const log = createLogger({ name: "test", level: "silent" });
const TRACE_ID = "a".repeat(32);
const plan = {
  planId: PlanId.parse("mine"),
  tenant: "ada",
  trace: PlanTrace.parse({ traceId: TRACE_ID, spanId: "1".repeat(16), sampled: true }),
};

const json = (body: string): OtlpBody => ({
  body: Buffer.from(body),
  format: "json",
  encoding: "identity",
  sender: undefined,
});

const span = (spanId: string, more: object = {}) => ({
  traceId: TRACE_ID,
  spanId,
  name: "s",
  startTimeUnixNano: "1",
  endTimeUnixNano: "2",
  ...more,
});
const requestOf = (...spans: object[]) =>
  json(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
const request = (...spanIds: string[]) => requestOf(...spanIds.map((spanId) => span(spanId)));
const childOf = (parentSpanId: string, spanId: string) => requestOf(span(spanId, { parentSpanId }));

it("returns the spans of a plan that it has received", async () => {
  await using traces = keepTraces({ log });
  expect(await traces.get(plan)).toEqual({ spans: "[]", dropped: 0, evicted: false });
  await traces.add(request("1".repeat(16), "2".repeat(16)));
  expect(traces.figures.spans).toBe(2);
  // The second span belongs to no tenant: its parent is unknown, and it does not name a plan.
  expect(JSON.parse((await traces.get(plan)).spans)).toMatchObject([
    { spanId: "1".repeat(16), traceId: TRACE_ID },
  ]);
});

it("shows a plan the spans of the services and of its tenant, but none sent by another tenant", async () => {
  await using traces = keepTraces({ log });
  const [root, own] = ["1".repeat(16), "2".repeat(16)];
  await traces.add({ ...request(root), sender: "bob" });
  expect(await traces.get(plan)).toMatchObject({ spans: "[]" });
  await traces.add(request(root));
  await traces.add({ ...childOf(root, own), sender: "ada" });
  await traces.add({ ...childOf(root, "3".repeat(16)), sender: "bob" });
  const shown = JSON.parse((await traces.get(plan)).spans) as { readonly spanId: string }[];
  expect(shown.map(({ spanId }) => spanId).toSorted()).toEqual([root, own]);
  await traces.forget(plan);
  expect(traces.figures.spans).toBe(2);
  expect(await traces.get(plan)).toMatchObject({ spans: "[]" });
});

it("reports what is wrong with a body, and keeps working", async () => {
  await using traces = keepTraces({ log });
  await expect(traces.add(json("{"))).rejects.toMatchObject({ code: "malformed_json" });
  await expect(traces.add(json('{"resourceSpans":1}'))).rejects.toMatchObject({
    code: "invalid_request",
    details: { issues: [{ field: "resourceSpans" }] },
  });
  await expect(
    traces.add({ body: Buffer.from([10, 9]), format: "protobuf", encoding: "identity", sender: undefined }),
  ).rejects.toMatchObject({ code: "malformed_protobuf" });
  expect(await traces.add(request("odd", "1".repeat(16)))).toEqual({
    kind: "added",
    rejected: 1,
    message: "resourceSpans[0].scopeSpans[0].spans[0].spanId: wanted 16 hexadecimal digits",
  });
  await traces.add(request("1".repeat(16)));
  expect(traces.figures.spans).toBe(1);
});

it("unpacks compressed bodies, but no decompression bombs", async () => {
  await using traces = keepTraces({ log });
  const packed = (bytes: Uint8Array): OtlpBody => ({
    body: bytes,
    format: "json",
    encoding: "gzip",
    sender: undefined,
  });
  await traces.add(packed(gzipSync(request("1".repeat(16)).body)));
  expect(traces.figures.spans).toBe(1);
  await expect(traces.add(packed(Buffer.from("no gzip")))).rejects.toMatchObject({ code: "invalid_request" });
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, " "));
  expect(bomb.byteLength).toBeLessThan(100_000);
  await expect(traces.add(packed(bomb))).rejects.toMatchObject({ code: "body_too_large" });
});

it("refuses more than it can buffer, without losing what it already has", async () => {
  const body = request("1".repeat(16));
  await using traces = keepTraces({ log, unreadBytesMax: body.body.byteLength });
  const first = traces.add(body);
  await expect(traces.add(request("2".repeat(16)))).rejects.toMatchObject({ code: "overloaded" });
  await first;
  await traces.add(request("3".repeat(16)));
  expect(traces.figures.spans).toBe(2);
});

it("fails pending requests when the gateway stops", async () => {
  const traces = keepTraces({ log });
  const asked = traces.add(request("1".repeat(16)));
  const stopped = traces[Symbol.asyncDispose]();
  await expect(asked).rejects.toThrow("the gateway is stopping");
  await stopped;
});
