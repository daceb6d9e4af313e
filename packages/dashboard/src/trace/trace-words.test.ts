import { expect, it } from "vitest";
import { whatIsMissing, whyEmpty } from "./trace-words.ts";
import { viewerOf } from "./viewer-link.tsx";

const trace = {
  traceId: "a".repeat(32),
  sampled: true,
  keptSince: "2026-01-02T00:00:00.000Z",
  dropped: 0,
  evicted: false,
};
const view = { submittedAt: "2026-01-02T10:00:00.000Z" };
const before = { submittedAt: "2026-01-01T10:00:00.000Z", endedAt: "2026-01-01T10:00:01.000Z" };
const facts = { trace, view, traces: { to: "embedded" as const }, settled: false };

it.each([
  ["No spans yet", {}],
  ["No spans received", { settled: true }],
  ["This plan was not sampled", { trace: { ...trace, sampled: false } }],
  ["Spans of this plan were evicted", { trace: { ...trace, evicted: true } }],
  ["Spans of this plan were evicted", { view: before }],
  ["Traces are exported elsewhere", { traces: { to: "endpoint" as const, endpoint: "tempo:4318" } }],
])("explains a trace without spans: %s", (title, change) => {
  expect(whyEmpty({ ...facts, ...change }).title).toBe(title);
});

it("describes what is missing from a trace that has spans", () => {
  expect(whatIsMissing(facts)).toEqual([]);
  const traces = { to: "endpoint" as const };
  const odd = { ...trace, sampled: false, evicted: true, dropped: 1_200 };
  expect(whatIsMissing({ trace: odd, view: before, traces }).join(" ")).toMatch(
    /only failures.*evicted.*1,200 spans.*restarted.*another receiver/,
  );
});

it.each([
  ["http://localhost:16686/trace/{traceId}", "Jaeger"],
  ['https://graphs.example/explore?panes={"query":"{traceId}"}', "Grafana"],
  ["https://traces.example:9000/{traceId}", "traces.example:9000"],
])("names the viewer at %s %s", (template, name) => {
  const viewer = viewerOf(template, trace.traceId);
  expect(viewer).toMatchObject({ name, href: expect.stringContaining(trace.traceId) });
});

it.each([undefined, "javascript:alert('{traceId}')", "no address {traceId}"])(
  "has no link to %s",
  (template) => {
    expect(viewerOf(template, trace.traceId)).toBeUndefined();
  },
);
