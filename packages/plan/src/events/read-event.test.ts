import { describe, expect, it } from "vitest";
import { PlanEvent } from "./plan-event.ts";
import { readEvent } from "./read-event.ts";

const success = {
  id: "p1/s1/0/1/done",
  type: "step.succeeded",
  planId: "p1",
  at: "2026-01-01T00:00:00.000Z",
  data: {
    stepId: "s1",
    item: 0,
    attempt: 1,
    workerId: "w1",
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 0.5,
    output: { value: { rows: [1, null, "x"] } },
    artifacts: [],
  },
};
const artifact = { name: "a.json", contentType: "application/json", bytes: 3 };
const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: null };

function withData(data: object): object {
  return { ...success, data: { ...success.data, ...data } };
}

describe("reading a fact", () => {
  it.each([
    ["a plain success", success],
    ["an output that is null", withData({ output: { value: null } })],
    ["a success in a unit", withData({ unit: "s0" })],
    ["a success with usage", withData({ usage })],
    ["a success with files", withData({ artifacts: [artifact] })],
    ["an output that is kept apart", withData({ output: { artifact, preview: "…" } })],
    ["a success without a list of files", withData({ artifacts: undefined })],
  ])("gives what the schema gives: %s", (_what, value) => {
    expect(readEvent(value)).toEqual({ event: PlanEvent.parse(value) });
  });

  it.each([
    ["nothing", null],
    ["text", "step.succeeded"],
    ["an unknown type", { ...success, type: "step.exploded" }],
    ["no data", { ...success, data: undefined }],
    ["data that is a list", { ...success, data: [] }],
    ["an attempt that is none", withData({ attempt: 0 })],
    ["an item that is text", withData({ item: "0" })],
    ["a unit that is none", withData({ unit: 7 })],
    ["a negative duration", withData({ durationMs: -1 })],
    ["no output", withData({ output: undefined })],
    ["an output that is text", withData({ output: "value" })],
    ["an output with nothing in it", withData({ output: {} })],
    ["an id that is a number", { ...success, id: 7 }],
  ])("says what is wrong: %s", (_what, value) => {
    expect(readEvent(value)).toHaveProperty("issues.0.message");
  });
});
