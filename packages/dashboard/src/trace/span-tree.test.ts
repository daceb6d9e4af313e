import { describe, expect, it } from "vitest";
import type { Span } from "../api/api-types.ts";
import { spanTree } from "./span-tree.ts";

const span = (spanId: string, startMs: number, endMs: number, parentSpanId?: string): Span => ({
  traceId: "t",
  spanId,
  ...(parentSpanId !== undefined && { parentSpanId }),
  name: spanId,
  service: "planner",
  kind: "internal",
  // Larger than a number can represent exactly.
  startTimeUnixNano: `${1_790_000_000_000 + startMs}000001`,
  endTimeUnixNano: `${1_790_000_000_000 + endMs}000001`,
  attributes: {},
  events: [],
  links: [],
  status: "unset",
});
const shape = (spans: Span[]) =>
  spanTree(spans).rows.map((row) => `${"  ".repeat(row.depth)}${row.span.spanId}`);

describe("the rows of a trace", () => {
  it("are below their parents, ordered by time", () => {
    expect(
      shape([span("c", 30, 40, "a"), span("b2", 12, 20, "b"), span("b", 10, 25, "a"), span("a", 0, 50)]),
    ).toEqual(["a", "  b", "    b2", "  c"]);
  });

  it("are measured exactly from the first start", () => {
    const { rows, durationMs } = spanTree([span("a", 5, 10), span("b", 7, 27, "a")]);
    expect(rows.map(({ startMs, durationMs: length }) => [startMs, length])).toEqual([
      [0, 5],
      [2, 20],
    ]);
    expect(durationMs).toBe(22);
  });

  it("include spans whose parent is missing or that name each other, each once", () => {
    expect(
      shape([span("x", 1, 2, "gone"), span("p", 3, 4, "q"), span("q", 5, 6, "p"), span("x", 1, 2)]),
    ).toEqual(["x", "p", "  q"]);
  });

  it("are none without spans", () => {
    expect(spanTree([])).toEqual({ rows: [], durationMs: 0, services: [] });
  });
});

describe("the critical spans of a plan's trace", () => {
  const ofStep = (stepId: string, one: Span): Span => ({
    ...one,
    attributes: { "plan.id": "p", "step.id": stepId },
  });
  const spans = [
    span("plan", 0, 100),
    ofStep("a", span("run a", 10, 40, "plan")),
    ofStep("a", span("tool a", 12, 38, "run a")),
    ofStep("b", span("run b", 10, 95, "plan")),
    ofStep("c", span("run c", 45, 60, "plan")),
  ];
  const criticalOf = (stepIds?: string[]) =>
    spanTree(spans, stepIds && { planId: "p", stepIds })
      .rows.filter(({ isCritical }) => isCritical)
      .map(({ span: { spanId } }) => spanId);

  it("belong to steps on the plan's critical path, and to no other step", () => {
    expect(criticalOf()).toEqual(["plan", "run b"]);
    expect(criticalOf(["a", "c"])).toEqual(["plan", "run a", "tool a", "run c"]);
    expect(criticalOf([])).toEqual(["plan"]);
  });

  it("include each step of the path that has a span, whenever it ran", () => {
    expect(criticalOf(["b", "c"])).toEqual(["plan", "run b", "run c"]);
    expect(criticalOf(["a", "gone"])).toEqual(["plan", "run a", "tool a"]);
  });
});
