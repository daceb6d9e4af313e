import { expect, it } from "vitest";
import { receivedSpans, shownSpan } from "./otlp-request.ts";
import { createTraceStore } from "./trace-store.ts";

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
  return receivedSpans(request);
}

it("gives the spans of a trace in the order in which they began", () => {
  const store = createTraceStore();
  store.add(spans(trace("a"), 3));
  expect(store.get(trace("a")).map(({ startTimeUnixNano }) => startTimeUnixNano)).toEqual([
    "997",
    "998",
    "999",
  ]);
  expect(store.get(trace("b"))).toEqual([]);
});

it("lets the oldest traces go when there are too many spans", () => {
  const store = createTraceStore({ spansMax: 10, spansOfATraceMax: 8 });
  for (const digit of ["a", "b", "c", "d"]) store.add(spans(trace(digit), 4));
  expect(["a", "b", "c", "d"].map((digit) => store.get(trace(digit)).length)).toEqual([0, 0, 4, 4]);
  expect(store.spanCount).toBe(8);
});

it("cuts off a trace that alone is too large, and keeps it", () => {
  const store = createTraceStore({ spansMax: 10, spansOfATraceMax: 8 });
  store.add(spans(trace("a"), 50));
  expect(store.get(trace("a"))).toHaveLength(8);
  store.add(spans(trace("a"), 8));
  expect(store.spanCount).toBe(8);
});

it("reads every kind of attribute, and what is none as null", () => {
  const value = (attribute: object) => {
    const span = {
      traceId: trace("a"),
      spanId: "1".repeat(16),
      name: "s",
      startTimeUnixNano: "1",
      endTimeUnixNano: "2",
      attributes: [{ key: "k", value: attribute }],
    };
    const [received] = receivedSpans({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    return received === undefined ? undefined : shownSpan(received).attributes["k"];
  };
  expect(value({ stringValue: "x" })).toBe("x");
  expect(value({ intValue: "12" })).toBe(12);
  expect(value({ doubleValue: 0.5 })).toBe(0.5);
  expect(value({ boolValue: false })).toBe(false);
  expect(value({ arrayValue: { values: [{ stringValue: "a" }, { arrayValue: {} }] } })).toEqual(["a", []]);
  for (const odd of [{}, { kvlistValue: {} }, { intValue: "much" }, { stringValue: 3 }])
    expect(value(odd)).toBeNull();
});
