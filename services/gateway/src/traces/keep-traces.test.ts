import { PlanId, PlanTrace } from "@planwright/plan";
import { createLogger } from "@planwright/shared/service";
import { expect, it } from "vitest";
import { keepTraces } from "./keep-traces.ts";

const log = createLogger({ name: "test", level: "silent" });
const TRACE_ID = "a".repeat(32);
const plan = {
  planId: PlanId.parse("mine"),
  trace: PlanTrace.parse({ traceId: TRACE_ID, spanId: "1".repeat(16), sampled: true }),
};

function request(...spanIds: string[]): Uint8Array {
  const spans = spanIds.map((spanId) => ({
    traceId: TRACE_ID,
    spanId,
    name: "s",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
  }));
  return Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
}

it("gives back the spans of a plan that it has taken in", async () => {
  await using traces = keepTraces({ log });
  expect(await traces.get(plan)).toBe("[]");
  await traces.add(request("1".repeat(16), "2".repeat(16)));
  expect(traces.spanCount).toBe(2);
  // The second one belongs to nobody: neither is its parent known nor does it name a plan.
  expect(JSON.parse(await traces.get(plan))).toMatchObject([{ spanId: "1".repeat(16), traceId: TRACE_ID }]);
});

it("says what is wrong with a body, and goes on", async () => {
  await using traces = keepTraces({ log });
  await expect(traces.add(Buffer.from("{"))).rejects.toMatchObject({ code: "malformed_json" });
  await expect(traces.add(request("odd"))).rejects.toMatchObject({
    code: "invalid_request",
    details: { issues: [{ field: expect.stringContaining("spans[0].spanId") }] },
  });
  await traces.add(request("1".repeat(16)));
  expect(traces.spanCount).toBe(1);
});

it("refuses more than it can have unread, and loses nothing of what it has", async () => {
  const body = request("1".repeat(16));
  await using traces = keepTraces({ log, unreadBytesMax: body.byteLength });
  const first = traces.add(body);
  await expect(traces.add(request("2".repeat(16)))).rejects.toMatchObject({ code: "overloaded" });
  await first;
  await traces.add(request("3".repeat(16)));
  expect(traces.spanCount).toBe(2);
});

it("fails what is being asked when the gateway stops", async () => {
  const traces = keepTraces({ log });
  const asked = traces.add(request("1".repeat(16)));
  const stopped = traces[Symbol.asyncDispose]();
  await expect(asked).rejects.toThrow("the gateway is stopping");
  await stopped;
});
