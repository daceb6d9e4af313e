import { StepWork } from "@planwright/plan";
import { once } from "node:events";
import { expect, it } from "vitest";
import { attemptSignal } from "./run-tool.ts";

function attempt(timeoutMs: number, stopping = new AbortController()) {
  const work = StepWork.parse({
    planId: "p1",
    tenant: "t",
    sentAfter: 0,
    stepId: "s1",
    item: 0,
    attempt: 1,
    tool: "flow.echo",
    args: {},
    pool: "default",
    effect: "read",
    timeoutMs,
    trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
  });
  const watching = new Set<() => void>();
  const stops = {
    watch: (_work: StepWork, onUnwanted: () => void) => {
      watching.add(onUnwanted);
      return { [Symbol.dispose]: () => void watching.delete(onUnwanted) };
    },
  };
  const stop = attemptSignal(work, { stops, stopping: stopping.signal });
  return { stop, stopping, watching, unwanted: () => watching.forEach((callBack) => callBack()) };
}

it("aborts when the step times out", async () => {
  const { stop } = attempt(1);
  await once(stop.signal, "abort");
  expect(stop.cause).toBe("timeout");
  expect(stop.signal.reason).toMatchObject({ name: "TimeoutError" });
});

it("aborts when the attempt is no longer needed, and when the worker stops; the first cause counts", () => {
  const { stop, stopping, unwanted } = attempt(60_000);
  expect([stop.signal.aborted, stop.cause]).toEqual([false, undefined]);
  unwanted();
  stopping.abort(new Error("the worker stops"));
  expect([stop.signal.aborted, stop.cause]).toEqual([true, "unwanted"]);
  stop[Symbol.dispose]();
});

it("is aborted from the beginning if the worker is already stopping", () => {
  const stopping = new AbortController();
  const reason = new Error("the worker stops");
  stopping.abort(reason);
  const { stop } = attempt(60_000, stopping);
  expect([stop.cause, stop.signal.reason]).toEqual(["worker-stops", reason]);
  stop[Symbol.dispose]();
});

it("ignores everything once the attempt is over", () => {
  const { stop, stopping, watching } = attempt(60_000);
  stop[Symbol.dispose]();
  stopping.abort();
  expect([watching.size, stop.signal.aborted]).toEqual([0, false]);
});
