import { PlanId, PlanTrace } from "@planwright/plan";
import { expect, it } from "vitest";
import { Span } from "@planwright/api";
import { ownSpans } from "./own-spans.ts";

const TRACE_ID = "a".repeat(32);
const idOf = (name: string): string => Buffer.from(name.padEnd(8)).toString("hex");

const span = (name: string, parent?: string, plan?: string): Span =>
  Span.parse({
    traceId: TRACE_ID,
    spanId: idOf(name),
    ...(parent === undefined ? {} : { parentSpanId: idOf(parent) }),
    name,
    service: "planner",
    kind: "internal",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    attributes: plan === undefined ? {} : { "plan.id": plan },
    events: [],
    links: [],
    status: "unset",
  });

const plan = {
  planId: PlanId.parse("mine"),
  trace: PlanTrace.parse({
    traceId: TRACE_ID,
    spanId: idOf("flow"),
    parentSpanId: idOf("request"),
    sampled: true,
  }),
};
const own = (...spans: Span[]): string[] => ownSpans(spans, plan).map(({ name }) => name);

it("includes the request's span and all below it, in any order of arrival", () => {
  expect(
    own(span("chat", "step"), span("step", "flow"), span("flow", "request"), span("request", "caller")),
  ).toEqual(["chat", "step", "flow", "request"]);
});

it("includes spans below the request before the request's own span has arrived", () => {
  expect(own(span("step", "flow"), span("send", "request"))).toEqual(["step", "send"]);
});

it("excludes the caller's spans, and another plan of the same trace", () => {
  const theirs = [
    span("caller"),
    span("other", "caller"),
    span("work", "other", "theirs"),
    span("lost", "gone", "theirs"),
  ];
  expect(own(...theirs, span("request", "caller"))).toEqual(["request"]);
});

it("includes spans that name the plan while their parents have not arrived, and all below those", () => {
  expect(own(span("step", "gone", "mine"), span("chat", "step"), span("stray", "gone"))).toEqual([
    "step",
    "chat",
  ]);
});

it("terminates when parents form a cycle", () => {
  expect(own(span("a", "b"), span("b", "c"), span("c", "a"), span("self", "self"))).toEqual([]);
});
