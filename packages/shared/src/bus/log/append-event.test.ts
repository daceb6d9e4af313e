// How events are divided into messages: against a publisher that stores in memory and rejects what nats-server rejects.
import { BATCH_EVENTS_MAX, PlanEvent, PlanId, readRecords } from "@planwright/plan";
import { expect, it } from "vitest";
import { appendEvents } from "./append-event.ts";
import { ConflictError, type Publish, type PublishOptions } from "../publisher.ts";
import { decisionSubject, decisionSubjects, factSubject } from "../subjects/subjects.ts";

const at = "2026-01-01T00:00:00Z";
const planId = PlanId.parse("p1");
const usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1 };
const event = (type: PlanEvent["type"], data: object, id: string): PlanEvent =>
  PlanEvent.parse({ id: `p1/${id}`, type, planId, at, data });
const planned = (index: number, value = ""): PlanEvent => {
  const step = { id: `s${index}`, tool: "flow.echo", args: { value } };
  return event("step.planned", { draft: 1, index, step, grant }, `step/${index}`);
};
const sealed = event("plan.sealed", { draft: 1, steps: 2, usage }, "sealed");
const skipped = (stepId: string) =>
  event("step.skipped", { stepIds: [stepId], because: "a", reason: "r" }, `skipped/${stepId}`);
const ended = event("plan.ended", { outcome: "failed", reason: "r" }, "ended");
const cancelled = event("cancel.requested", { reason: "r", by: "ann" }, "cancelled");

type Stored = { readonly subject: string; readonly text: string; readonly options: PublishOptions };

function log({ lostAt = Number.POSITIVE_INFINITY }: { readonly lostAt?: number } = {}) {
  const stored: Stored[] = [];
  const publish: Publish = async (subject, body, options) => {
    if (stored.length === lostAt) throw new ConflictError("another writer was first");
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
    return { sequence: stored.push({ subject, text, options }), duplicate: false };
  };
  const read = () =>
    stored.map(({ text }) =>
      readRecords(JSON.parse(text)).map((record) => ("event" in record ? record.event.id : "unknown")),
    );
  return { stored, publish, read };
}

it("stores a single event unchanged, as the first message on its own subject", async () => {
  const { stored, publish } = log();
  const message = await appendEvents(publish, [cancelled]);
  expect(message).toEqual({ status: "stored", sequence: 1 });
  const options = { id: cancelled.id, expect: { sequence: 0 }, events: [cancelled] };
  expect(stored).toEqual([{ subject: factSubject(cancelled), text: JSON.stringify(cancelled), options }]);
});

it("stores several in one message, on the subject of the last", async () => {
  const { stored, publish, read } = log();
  const fence = { sequence: 0, subject: factSubject(sealed) };
  await appendEvents(publish, [planned(0), planned(1), sealed], { fence });
  expect(stored.map(({ subject }) => subject)).toEqual([factSubject(sealed)]);
  expect(read()).toEqual([["p1/step/0", "p1/step/1", "p1/sealed"]]);
  expect(stored[0]?.options).toMatchObject({ expect: fence, events: [planned(0), planned(1), sealed] });
});

it("derives the id of a batch from its events: the same batch is a duplicate, a different cut is not", async () => {
  const idOf = async (...events: PlanEvent[]): Promise<string | undefined> => {
    const { stored, publish } = log();
    await appendEvents(publish, events);
    return stored[0]?.options.id;
  };
  const [first, second, third] = [planned(0), planned(1), planned(2)];
  const whole = await idOf(first, second, third);
  expect(whole).toMatch(/^p1\/batch\/[0-9a-f]{64}$/);
  expect(await idOf({ ...first, at: "2026-01-02T00:00:00Z" }, second, third)).toBe(whole);
  const others = [await idOf(first, second), await idOf(second, third), await idOf(second, first, third)];
  expect(new Set([whole, ...others]).size).toBe(4);
});

it("expects its own last message if that is under the fence", async () => {
  const { stored, publish } = log();
  const options = { fence: { sequence: 7, subject: decisionSubjects(planId) }, subjectOf: decisionSubject };
  const steps = Array.from({ length: BATCH_EVENTS_MAX + 1 }, (_, index) => skipped(`s${index}`));
  expect(await appendEvents(publish, [...steps, ended], options)).toEqual({ status: "stored", sequence: 2 });
  expect(
    stored.map(({ options: { events, expect: expected } }) => [events?.length, expected?.sequence]),
  ).toEqual([
    [BATCH_EVENTS_MAX, 7],
    [2, 1],
  ]);
});

it("keeps its expectation if its own last message is not under the fence", async () => {
  const { stored, publish, read } = log();
  const fence = { sequence: 0, subject: factSubject(sealed) };
  const large = "x".repeat(300 * 1024);
  await appendEvents(publish, [planned(0, large), planned(1, large), sealed], { fence });
  expect(read()).toEqual([["p1/step/0"], ["p1/step/1", "p1/sealed"]]);
  expect(stored.map(({ options }) => options.expect)).toEqual([fence, fence]);
});

it("puts the end of a plan or draft last in its message, and never mixes kinds that need separate messages", async () => {
  const { publish, read } = log();
  await appendEvents(publish, [sealed, planned(1), cancelled, planned(2)]);
  expect(read()).toEqual([["p1/sealed"], ["p1/step/1"], ["p1/cancelled"], ["p1/step/2"]]);
});

it("reports that another writer was first, even if earlier messages were stored", async () => {
  const { publish, read } = log({ lostAt: 1 });
  expect(await appendEvents(publish, [planned(0), planned(1), cancelled])).toEqual({ status: "lost" });
  expect(read()).toEqual([["p1/step/0", "p1/step/1"]]);
});
