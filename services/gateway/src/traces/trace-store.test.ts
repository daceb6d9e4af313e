import { expect, it } from "vitest";
import { shownSpan } from "./shown-span.ts";
import { receivedSpans } from "./otlp-request.ts";
import { createTraceStore, type TraceStoreLimits } from "./trace-store.ts";

const trace = (digit: string) => digit.repeat(32);

function spans(traceId: string, count: number, from = 1) {
  const request = {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: Array.from({ length: count }, (_, index) => ({
              traceId,
              spanId: String(from + index).padStart(16, "0"),
              name: "s",
              startTimeUnixNano: String(1_000 - from - index),
              endTimeUnixNano: 2_000,
            })),
          },
        ],
      },
    ],
  };
  return receivedSpans(request).spans;
}

const NO_LIMITS = {
  tracesMax: 1_000,
  spansMax: 1_000,
  spansOfATraceMax: 1_000,
  bytesMax: 1e9,
  bytesOfATraceMax: 1e9,
};
const storeOf = (limits: Partial<TraceStoreLimits>) => createTraceStore({ ...NO_LIMITS, ...limits });
const counts = (store: ReturnType<typeof storeOf>, digits: string) =>
  Array.from(digits, (digit) => store.get(trace(digit), "ada").spans.length);

it("returns the spans of a trace ordered by start time", () => {
  const store = createTraceStore();
  store.add(spans(trace("a"), 3), undefined);
  const { spans: kept } = store.get(trace("a"), "ada");
  expect(kept.map(({ startTimeUnixNano }) => startTimeUnixNano)).toEqual(["997", "998", "999"]);
  expect(store.get(trace("b"), "ada")).toEqual({ spans: [], dropped: 0, evicted: false });
});

const [one] = spans(trace("a"), 1);
const bytesOfOne = bytesOf({});

/** The bytes that the store counts for a span with this part. */
function bytesOf(part: object): number {
  const store = createTraceStore();
  const request = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...one, ...part }] }] }] };
  store.add(receivedSpans(request).spans, undefined);
  return store.figures.bytes;
}

it.each([
  ["spans", { spansMax: 10 }],
  ["bytes", { bytesMax: 10 * bytesOfOne }],
  ["traces", { tracesMax: 2 }],
])("evicts the oldest traces when there are too many %s, and reports that", (_, limits) => {
  const store = storeOf(limits);
  for (const digit of "abcd") store.add(spans(trace(digit), 4), undefined);
  expect(counts(store, "abcd")).toEqual([0, 0, 4, 4]);
  expect(Array.from("abcd", (digit) => store.get(trace(digit), "ada").evicted)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(store.figures).toEqual({ traces: 2, spans: 8, bytes: 8 * bytesOfOne, evicted: 8, dropped: 0 });
});

it.each([
  ["spans", { spansMax: 10, spansOfATraceMax: 8 }],
  ["bytes", { bytesOfATraceMax: 8 * bytesOfOne }],
])("truncates a single trace that has too many %s, and keeps the rest", (_, limits) => {
  const store = storeOf(limits);
  expect(store.add(spans(trace("a"), 50), undefined)).toBe(42);
  expect(store.get(trace("a"), "ada")).toMatchObject({ dropped: 42, evicted: false });
  expect(counts(store, "a")).toEqual([8]);
  expect(store.add(spans(trace("a"), 8), undefined)).toBe(0);
  expect(store.figures).toMatchObject({ spans: 8, dropped: 42 });
});

const pairs = (value: object) => ({ attributes: [{ key: "k", value }] });

it.each<[string, object, number]>([
  ["a long text", pairs({ stringValue: "x".repeat(10_000) }), 10_000],
  ["a text of wide characters", pairs({ stringValue: "\u4e00".repeat(10_000) }), 20_000],
  ["a list", pairs({ arrayValue: { values: Array(1_000).fill({ intValue: 1 }) } }), 2_000],
  ["a link", { links: [{ traceId: trace("a"), spanId: "1".repeat(16) }] }, 48],
])("counts the memory of %s", (_, part, bytes) => {
  expect(bytesOf(part)).toBeGreaterThan(bytesOfOne + bytes);
});

it.each<[string, object]>([
  ["an unknown field", { odd: "x".repeat(10_000) }],
  ["a value that is none", pairs({ odd: "x".repeat(10_000) })],
  ["an unknown kind", { kind: "x".repeat(64) }],
  [
    "a value of any depth",
    pairs(JSON.parse(`${'{"arrayValue":{"values":['.repeat(5_000)}${"]}}".repeat(5_000)}`)),
  ],
])("neither keeps nor counts %s", (_, part) => {
  expect(bytesOf(part)).toBeLessThan(bytesOfOne + 100);
});

it("reads every kind of attribute, and an invalid one as null", () => {
  const value = (attribute: object) => {
    const span = {
      traceId: trace("a"),
      spanId: "1".repeat(16),
      name: "s",
      startTimeUnixNano: "1",
      endTimeUnixNano: "2",
      attributes: [{ key: "k", value: attribute }],
    };
    const [received] = receivedSpans({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }).spans;
    return received === undefined ? undefined : shownSpan(received).attributes["k"];
  };
  expect(value({ stringValue: "x" })).toBe("x");
  expect(value({ intValue: "12" })).toBe(12);
  expect(value({ doubleValue: 0.5 })).toBe(0.5);
  expect(value({ boolValue: false })).toBe(false);
  expect(value({ arrayValue: { values: [{ stringValue: "a" }, { arrayValue: {} }] } })).toEqual(["a", []]);
  expect(value({ bytesValue: "AQI=" })).toBe("AQI=");
  const pairs = [{ key: "__proto__", value: { boolValue: true } }, { key: 1 }, 7];
  expect(value({ kvlistValue: { values: pairs } })).toEqual(JSON.parse('{"__proto__":true}'));
  for (const odd of [{}, { intValue: "much" }, { stringValue: 3 }]) expect(value(odd)).toBeNull();
});
