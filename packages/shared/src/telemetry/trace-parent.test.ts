import { describe, expect, it } from "vitest";
import {
  childIds,
  extractTrace,
  injectTrace,
  newTraceIds,
  parseTraceParent,
  renderTraceParent,
} from "./trace-parent.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

/** Headers as in NATS: an absent one is read as an empty text. */
function natsHeaders() {
  const values = new Map<string, string>();
  return {
    get: (name: string) => values.get(name) ?? "",
    set: (name: string, value: string) => void values.set(name, value),
  };
}

describe("a traceparent", () => {
  it.each([true, false])("survives being rendered and parsed (sampled: %s)", (sampled) => {
    expect(parseTraceParent(renderTraceParent({ traceId, spanId, sampled }))).toEqual({
      traceId,
      spanId,
      sampled,
    });
  });

  it("is parsed in a later version of the format", () => {
    expect(parseTraceParent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, sampled: true });
  });

  it.each([
    undefined,
    "",
    "nonsense",
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
  ])("counts as absent when it is malformed: %s", (header) => {
    expect(parseTraceParent(header)).toBeUndefined();
  });

  it("is injected into a message once and kept on redelivery", () => {
    const headers = natsHeaders();
    injectTrace(headers, { traceId, spanId, sampled: true });
    injectTrace(headers, { traceId, spanId: "1".repeat(16), sampled: true });
    expect(extractTrace(headers)).toEqual({ traceId, spanId, sampled: true });
  });

  it("is absent from a message without headers", () => {
    expect(extractTrace(undefined)).toBeUndefined();
    expect(extractTrace(natsHeaders())).toBeUndefined();
  });
});

describe("new ids", () => {
  it("are well-formed and differ", () => {
    const first = newTraceIds({ sampled: true });
    expect(parseTraceParent(renderTraceParent(first))).toEqual(first);
    expect(newTraceIds({ sampled: true }).traceId).not.toBe(first.traceId);
    expect(childIds(first)).toMatchObject({ traceId: first.traceId, sampled: true });
    expect(childIds(first).spanId).not.toBe(first.spanId);
  });

  it("are never all zeros, which is invalid", () => {
    expect(newTraceIds({ sampled: true, random: (size) => new Uint8Array(size) }).spanId).not.toMatch(/^0+$/);
  });
});
