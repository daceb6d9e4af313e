import { expect, it } from "vitest";
import { isPlainSpan, receivedSpans } from "./otlp-request.ts";
import { shownSpan } from "./shown-span.ts";

/** As OpenTelemetry's JavaScript exporter writes it. */
const SPAN = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  parentSpanId: "c".repeat(16),
  name: "process work.step",
  kind: 5,
  startTimeUnixNano: "1795322003507000000",
  endTimeUnixNano: "1795322003508000000",
  attributes: [{ key: "step.attempt", value: { intValue: 1 } }],
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  status: { code: 0 },
  links: [],
  droppedLinksCount: 0,
  flags: 257,
};
const LINK = { traceId: "A".repeat(32), spanId: "d".repeat(16), attributes: [], flags: 257 };
const EVENT = { name: "exception", timeUnixNano: 5, attributes: [{ key: "x", value: { boolValue: true } }] };

const request = (...spans: object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "executor" } }] },
      scopeSpans: [{ scope: { name: "planwright" }, spans }],
    },
  ],
});
const shown = (span: object) => receivedSpans(request(span)).spans.map(shownSpan)[0];

const SHOWN = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  parentSpanId: "c".repeat(16),
  name: "process work.step",
  service: "executor",
  kind: "consumer",
  startTimeUnixNano: "1795322003507000000",
  endTimeUnixNano: "1795322003508000000",
  attributes: { "step.attempt": 1 },
  events: [],
  links: [],
  status: "unset",
};

it("recognises a plain span by its form, and shows its content", () => {
  expect(isPlainSpan(SPAN)).toBe(true);
  expect(shown(SPAN)).toEqual(SHOWN);
});

it.each([
  [{ traceId: "A".repeat(32) }, {}],
  [{ parentSpanId: "" }, { parentSpanId: undefined }],
  [{ kind: "SPAN_KIND_CLIENT" }, { kind: "client" }],
  [{ startTimeUnixNano: 7 }, { startTimeUnixNano: "7" }],
  [{ attributes: undefined }, { attributes: {} }],
  [{ status: undefined }, {}],
  [{ links: [LINK] }, { links: [{ traceId: "a".repeat(32), spanId: "d".repeat(16) }] }],
  [{ events: [EVENT] }, { events: [{ name: "exception", timeUnixNano: "5", attributes: { x: true } }] }],
])("reads %j anyway, by its schema", (change, expected) => {
  expect(isPlainSpan({ ...SPAN, ...change })).toBe(false);
  expect(shown({ ...SPAN, ...change })).toEqual({ ...SHOWN, ...expected });
});

it("drops invalid spans, and reports the faults of the first ones", () => {
  const odd = [{ ...SPAN, spanId: "odd" }, { ...SPAN, name: "n".repeat(1_025) }, "none"];
  const many = Array.from({ length: 10 }, () => null);
  const { spans, refused, faults } = receivedSpans(request(...([SPAN, ...odd, ...many] as object[])));
  expect(spans).toHaveLength(1);
  expect(refused).toBe(13);
  const place = "resourceSpans[0].scopeSpans[0].spans";
  expect(faults).toHaveLength(5);
  expect(faults.slice(0, 3)).toEqual([
    `${place}[1].spanId: wanted 16 hexadecimal digits`,
    expect.stringContaining(`${place}[2].name: `),
    expect.stringContaining(`${place}[3]: `),
  ]);
});

it("reads a limited number of spans per request, and counts the rest", () => {
  const tooMany = (spans: readonly object[]) => receivedSpans(request(...spans));
  const none = tooMany(Array.from({ length: 30_000 }, () => ({})));
  expect([none.spans.length, none.refused]).toEqual([0, 30_000]);
  const good = tooMany(Array.from({ length: 20_001 }, () => SPAN));
  expect([good.spans.length, good.refused]).toEqual([20_000, 1]);
  expect(good.faults[0]).toContain("spans[20000]: a request may contain max 20000 spans");
});

it.each([
  ["attributes", { attributes: Array.from({ length: 1_001 }, () => ({ key: "k" })) }],
  ["events", { events: Array.from({ length: 1_001 }, () => EVENT) }],
  ["links", { links: Array.from({ length: 1_001 }, () => LINK) }],
])("refuses a span with too many %s, without reporting a fault for each of them", (field, parts) => {
  const span = { ...SPAN, parentSpanId: "", ...parts };
  expect(receivedSpans(request(span)).faults).toEqual([expect.stringContaining(`.spans[0].${field}: `)]);
});

it("ignores a service name longer than a span's name may be", () => {
  const body = request(SPAN);
  const [first] = body.resourceSpans;
  if (first !== undefined)
    first.resource.attributes = [{ key: "service.name", value: { stringValue: "s".repeat(1_025) } }];
  expect(receivedSpans(body).spans).toMatchObject([{ service: "unknown" }]);
});

it("refuses a body that is not an OTLP request", () => {
  expect(() => receivedSpans({ resourceSpans: "x" })).toThrow(
    expect.objectContaining({ code: "invalid_request" }),
  );
});

it("shows the content of links, and how much the sender has dropped", () => {
  const links = [{ ...LINK, attributes: [{ key: "plan.id", value: { stringValue: "p2" } }] }];
  expect(shown({ ...SPAN, links, droppedEventsCount: 3, droppedLinksCount: 1 })).toMatchObject({
    links: [{ spanId: "d".repeat(16), attributes: { "plan.id": "p2" } }],
    dropped: { attributes: 0, events: 3, links: 1 },
  });
});

it("shows the links of our own services' spans without their other fields", () => {
  const link = { ...LINK, traceId: "a".repeat(32) };
  expect(isPlainSpan({ ...SPAN, links: [link] })).toBe(true);
  expect(shown({ ...SPAN, links: [link] })).toEqual({
    ...SHOWN,
    links: [{ traceId: "a".repeat(32), spanId: "d".repeat(16) }],
  });
});

it("shows the error of a span that failed", () => {
  const failed = { ...SPAN, status: { code: 2, message: "it broke" } };
  expect(isPlainSpan(failed)).toBe(true);
  expect(shown(failed)).toMatchObject({ status: "error", statusMessage: "it broke" });
});
