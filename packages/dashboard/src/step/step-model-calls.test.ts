import { expect, it } from "vitest";
import type { Span } from "../api/api-types.ts";
import { stepSpans } from "./step-model-calls.tsx";

const span = (spanId: string, parentSpanId: string, start: number, attributes: object): Span => ({
  traceId: "t",
  spanId,
  parentSpanId,
  name: spanId,
  service: "executor",
  kind: "client",
  startTimeUnixNano: String(start),
  endTimeUnixNano: String(start + 2_000_000),
  events: [],
  links: [],
  attributes: { ...attributes },
  status: "unset",
});
const tool = (stepId: string) => ({ "gen_ai.operation.name": "execute_tool", "step.id": stepId });
const chat = (more: object = {}) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "m",
  ...more,
});
const said = (role: string, ...texts: string[]) =>
  JSON.stringify([{ role, parts: texts.map((content) => ({ type: "text", content })) }]);

it("finds a step's tool span and model calls, without those of the next step", () => {
  const messages = {
    "gen_ai.input.messages": said("user", "what", "is it"),
    "gen_ai.output.messages": said("assistant", "this"),
  };
  const spans = [
    span("late", "again", 60, chat({ "gen_ai.usage.input_tokens": "7" })),
    span("send", "", 1, { "step.id": "a" }),
    span("first", "send", 10, tool("a")),
    span("asked", "first", 20, chat({ ...messages, "model.cost_usd": 0.5 })),
    span("again", "send", 50, tool("a")),
    span("next", "first", 30, tool("b")),
    span("other", "next", 40, chat()),
  ];
  const { toolSpanId, calls } = stepSpans(spans, "a");
  expect(toolSpanId).toBe("again");
  expect(calls).toMatchObject([
    {
      spanId: "asked",
      model: "m",
      costUsd: 0.5,
      durationMs: 2,
      messages: [
        { role: "user", text: "what\nis it" },
        { role: "assistant", text: "this" },
      ],
    },
    { spanId: "late", inputTokens: 7 },
  ]);
  expect(calls[1]).not.toHaveProperty("messages");
  expect(stepSpans(spans, "c")).toEqual({ toolSpanId: undefined, calls: [] });
});

it.each([
  ["{", [{ role: "unreadable", text: "{" }]],
  ["[1, {}]", [{ role: "unknown", text: "" }]],
  ["7", undefined],
])("reads messages of any form: %s", (text, messages) => {
  const spans = [span("a", "", 1, tool("a")), span("b", "a", 2, chat({ "gen_ai.input.messages": text }))];
  expect(stepSpans(spans, "a").calls[0]?.messages).toEqual(messages);
});
