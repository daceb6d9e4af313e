import { describe, expect, it } from "vitest";
import type { Span } from "../api/api-types.ts";
import { keyMove } from "./waterfall.tsx";
import { selfTimeMs } from "./span-details.tsx";
import { spanTree } from "./span-tree.ts";
import { spanOfStep } from "./step-of-span.ts";
import { NO_FILTER, type RowFilter, visibleRows } from "./trace-view.tsx";

type Made = { id: string; from: number; to: number; in?: string } & Partial<Span>;

const made = ({ id, from, to, in: parentSpanId, ...more }: Made): Span => ({
  traceId: "t",
  spanId: id,
  ...(parentSpanId !== undefined && { parentSpanId }),
  name: id,
  service: "planner",
  kind: "internal",
  startTimeUnixNano: `${from * 1_000_000}`,
  endTimeUnixNano: `${to * 1_000_000}`,
  attributes: {},
  events: [],
  links: [],
  status: "unset",
  ...more,
});

/** A plan that sends two messages; each is processed after it was sent, and the second one fails. */
const { rows } = spanTree([
  made({ id: "plan", from: 0, to: 100 }),
  made({ id: "send 1", from: 10, to: 12, in: "plan" }),
  made({ id: "work 1", from: 20, to: 40, in: "send 1", service: "executor", attributes: { "step.id": "a" } }),
  made({
    id: "execute_tool x",
    from: 22,
    to: 39,
    in: "work 1",
    attributes: { "step.id": "a", key: "NEEDLE" },
  }),
  made({ id: "send 2", from: 10, to: 13, in: "plan" }),
  made({ id: "work 2", from: 20, to: 90, in: "send 2", service: "executor", status: "error" }),
]);
const shown = (closed: string[], filter: Partial<RowFilter> = {}) =>
  visibleRows(rows, { closed: new Set(closed), filter: { ...NO_FILTER, ...filter } });
const names = (closed: string[], filter: Partial<RowFilter> = {}) =>
  shown(closed, filter).rows.map(({ span, isContext }) => (isContext ? `(${span.spanId})` : span.spanId));

describe("the rows of a trace", () => {
  it("have their own time, their descendants, and whether the end waited for them", () => {
    expect(
      rows.map((row) => [row.span.spanId, selfTimeMs(rows, row), row.below, row.failedBelow, row.isCritical]),
    ).toEqual([
      ["plan", 27, 5, 1, true],
      ["send 1", 2, 2, 0, false],
      ["work 1", 3, 1, 0, false],
      ["execute_tool x", 17, 0, 0, false],
      ["send 2", 3, 1, 1, true],
      ["work 2", 70, 0, 0, true],
    ]);
  });

  it("have a critical path back from the end, through spans that ended before the next began", () => {
    const chain = spanTree([
      made({ id: "plan", from: 0, to: 100 }),
      made({ id: "a", from: 0, to: 40, in: "plan" }),
      made({ id: "b", from: 0, to: 30, in: "plan" }),
      made({ id: "c", from: 41, to: 99, in: "plan" }),
    ]);
    expect(chain.rows.flatMap((row) => (row.isCritical ? [row.span.spanId] : []))).toEqual([
      "plan",
      "a",
      "c",
    ]);
  });

  it("are hidden below a closed row", () => {
    expect(names([])).toHaveLength(6);
    expect(names(["send 1"])).toEqual(["plan", "send 1", "send 2", "work 2"]);
    expect(names(["plan"])).toEqual(["plan"]);
  });

  it("that match the search are shown with their ancestors, closed or not", () => {
    expect(names(["plan"], { errorsOnly: true })).toEqual(["(plan)", "(send 2)", "work 2"]);
    expect(names([], { text: "needle" })).toEqual(["(plan)", "(send 1)", "(work 1)", "execute_tool x"]);
    expect(names([], { text: "NOTHING" })).toEqual([]);
    const executors = shown([], { service: "executor" });
    expect(executors.rows.map(({ span }) => span.spanId)).toEqual([
      "plan",
      "send 1",
      "work 1",
      "send 2",
      "work 2",
    ]);
    expect(executors.matches).toBe(2);
  });

  it("show a step where its tool ran", () => {
    expect(spanOfStep(rows, { planId: "p", stepId: "a" })?.span.spanId).toBe("execute_tool x");
    expect(spanOfStep(rows, { planId: "p", stepId: "b" })).toBeUndefined();
  });
});

describe("the keys of the tree", () => {
  const move = (key: string, at: number, closed: string[] = []) => {
    const moved = keyMove(key, shown(closed).rows, at);
    if (moved === undefined || moved.kind === "leave") return moved?.kind;
    return `${moved.kind} ${moved.row.span.spanId}`;
  };
  it.each([
    ["ArrowDown", 0, "go send 1"],
    ["ArrowDown", 5, "go work 2"],
    ["ArrowUp", 0, "go plan"],
    ["End", 0, "go work 2"],
    ["PageUp", 5, "go plan"],
    ["ArrowRight", 0, "go send 1"],
    ["ArrowRight", 5, undefined],
    ["ArrowLeft", 1, "toggle send 1"],
    ["ArrowLeft", 3, "go work 1"],
    ["Enter", 2, "choose work 1"],
    ["Escape", 2, "leave"],
    ["x", 2, undefined],
  ])("%s at row %i: %s", (key, at, outcome) => {
    expect(move(key, at)).toBe(outcome);
  });

  it("open a closed row", () => {
    expect(move("ArrowRight", 1, ["send 1"])).toBe("toggle send 1");
    expect(move("ArrowDown", 9)).toBeUndefined();
  });
});
