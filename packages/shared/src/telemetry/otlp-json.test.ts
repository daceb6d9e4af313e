import { expect, it } from "vitest";
import { createSpanWriter } from "./otlp-json.ts";
import type { SpanRecord } from "./span.ts";

const ids = { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: true };
const plain: SpanRecord = {
  ids,
  parentSpanId: undefined,
  name: "plain",
  kind: "internal",
  startTimeMs: 1_700_000_000_000.25,
  endTimeMs: 1_700_000_000_001,
  attributes: {},
  events: [],
  links: [],
};

function written(...spans: SpanRecord[]) {
  return JSON.parse(createSpanWriter({ "service.name": 'a "service"' })(spans)) as object;
}

it("writes a resource with its spans", () => {
  expect(written(plain, { ...plain, name: 'with "quotes"\n' })).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: 'a "service"' } }] },
        scopeSpans: [{ scope: { name: "planwright" }, spans: [spanOf("plain"), spanOf('with "quotes"\n')] }],
      },
    ],
  });
});

it("writes everything that a span may carry", () => {
  const link = { traceId: "3".repeat(32), spanId: "4".repeat(16), sampled: false };
  const full = written({
    ...plain,
    kind: "consumer",
    parentSpanId: "5".repeat(16),
    attributes: { "a\\b": "ü", whole: 3, half: 0.5, none: Number.NaN, yes: true, list: ["a", "b"] },
    events: [{ name: "exception", timeMs: 1_000.000_001, attributes: { why: "\u2028" } }],
    links: [link],
    error: "it broke",
  });
  expect(full).toMatchObject({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                kind: 5,
                parentSpanId: "5".repeat(16),
                attributes: [
                  { key: "a\\b", value: { stringValue: "ü" } },
                  { key: "whole", value: { intValue: 3 } },
                  { key: "half", value: { doubleValue: 0.5 } },
                  { key: "none", value: { doubleValue: "NaN" } },
                  { key: "yes", value: { boolValue: true } },
                  {
                    key: "list",
                    value: { arrayValue: { values: [{ stringValue: "a" }, { stringValue: "b" }] } },
                  },
                ],
                events: [
                  {
                    name: "exception",
                    timeUnixNano: "1000000001",
                    attributes: [{ key: "why", value: { stringValue: "\u2028" } }],
                  },
                ],
                links: [{ traceId: link.traceId, spanId: link.spanId }],
                status: { code: 2, message: "it broke" },
              },
            ],
          },
        ],
      },
    ],
  });
});

function spanOf(name: string, more: object = {}): object {
  return {
    traceId: ids.traceId,
    spanId: ids.spanId,
    name,
    kind: 1,
    startTimeUnixNano: "1700000000000250000",
    endTimeUnixNano: "1700000000001000000",
    attributes: [],
    events: [],
    links: [],
    status: { code: 0 },
    flags: 257,
    ...more,
  };
}
