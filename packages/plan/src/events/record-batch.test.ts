// The format of log messages.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fact } from "../../test/facts.ts";
import { propertyRuns } from "../../test/property-runs.ts";
import { PlanEvent } from "./plan-event.ts";
import {
  BATCH_BYTES_MAX,
  BATCH_EVENTS_MAX,
  batchText,
  cutBatches,
  readEvent,
  readRecords,
} from "./record-batch.ts";

const cancelled = fact("cancel.requested", { reason: "r", by: "ann" });
const ended = fact("plan.ended", { outcome: "failed", reason: "r" });
const texts = [cancelled, ended].map((event) => JSON.stringify(event));
const read = (text: string) => readRecords(JSON.parse(text));

describe("a log message", () => {
  it("with one event is that event, byte for byte", () => {
    expect(batchText(texts.slice(0, 1))).toBe(texts[0]);
    expect(read(batchText(texts.slice(0, 1)))).toEqual([{ event: cancelled }]);
  });

  it("with several events holds them in order", () => {
    expect(batchText(texts)).toBe(`{"batch":1,"events":[${texts.join(",")}]}`);
    expect(read(batchText(texts))).toEqual([{ event: cancelled }, { event: ended }]);
  });

  it("is read even if it contains an event of a newer version", () => {
    const newer = JSON.stringify({ ...cancelled, type: "plan.praised" });
    const records = read(batchText([newer, ...texts]));
    expect(records.map((record) => "event" in record)).toEqual([false, true, true]);
  });

  it.each([
    ["of a newer format", { batch: 2, events: [cancelled] }],
    ["without events", { batch: 1, events: [] }],
    ["without a list", { batch: 1, events: "x" }],
    ["of more events than a batch holds", { batch: 1, events: Array(BATCH_EVENTS_MAX + 1).fill(cancelled) }],
  ])("%s is one unknown event", (_name, message) => {
    expect(readRecords(message)).toEqual([{ issues: expect.any(Array) }]);
  });

  it("never contains a batch inside a batch", () => {
    const [record] = readRecords({ batch: 1, events: [{ batch: 1, events: [cancelled] }] });
    expect(record).toHaveProperty("issues.0.message");
  });
});

describe("cutting events into batches", () => {
  it("keeps every event in order, and each batch within the limits", () => {
    const sizes = fc.array(fc.nat({ max: BATCH_BYTES_MAX * 2 }), { maxLength: 3 * BATCH_EVENTS_MAX });
    fc.assert(
      fc.property(sizes, fc.nat(7), (bytesOf, every) => {
        const events = bytesOf.map((bytes, index) => ({ bytes, index }));
        const cut = [...cutBatches(events, ({ index }) => index % (every + 1) !== every)];
        expect(cut.map(({ all, last }) => all.at(-1) === last).includes(false)).toBe(false);
        const batches = cut.map(({ all }) => all);
        expect(batches.flat()).toEqual(events);
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(BATCH_EVENTS_MAX);
          const bytes = batch.reduce((sum, one) => sum + one.bytes, 0);
          expect(batch.length === 1 || bytes <= BATCH_BYTES_MAX).toBe(true);
          expect(batch.slice(0, -1).every(({ index }) => index % (every + 1) !== every)).toBe(true);
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});

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

describe("reading an event", () => {
  it.each([
    ["a plain success", success],
    ["an output that is null", withData({ output: { value: null } })],
    ["a success in a unit", withData({ unit: "s0" })],
    ["a success with usage", withData({ usage })],
    ["a success with files", withData({ artifacts: [artifact] })],
    ["an output that is kept apart", withData({ output: { artifact, preview: "…" } })],
    ["a success without a list of files", withData({ artifacts: undefined })],
  ])("returns the result of the schema: %s", (_what, value) => {
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
  ])("reports the fault: %s", (_what, value) => {
    expect(readEvent(value)).toHaveProperty("issues.0.message");
  });
});
