// The invariants of every piece of work that a model does for a plan (JOB-1 to JOB-3), tested with a synthesis.
import { modelJob } from "@planwright/shared/jobs";
import { expect, it } from "vitest";
import { synthesizeAnswer } from "../src/handlers/synthesize-answer.ts";
import { log, startJoinBench, TRACE } from "./support/join-bench.ts";

const fates = { a: { output: { value: 1 } } };

type Bench = Awaited<ReturnType<typeof startJoinBench>>;

/** Delivers a synthesis with an allowance to a worker whose model must not be called. */
async function deliver(bench: Bench, join: number, deliveries: number) {
  const planId = await bench.settled("p1", fates);
  const deps = await bench.giver();
  const { Task } = modelJob(deps, synthesizeAnswer(deps));
  const task = Task.parse({ planId, join, allowance: { maxTokens: 5_000 }, trace: TRACE });
  const signal = new AbortController().signal;
  const about = { deliveries, sequence: 1, storedAt: new Date(), trace: undefined, header: () => "" };
  const done = task.run({ ...about, signal, subject: `work.reflect.${planId}.${join}`, log });
  return { done, ends: async () => (await bench.events(planId)).filter(({ data }) => "join" in data) };
}

it("does nothing for a plan that waits for other work (JOB-1)", async () => {
  await using bench = await startJoinBench({});
  const { done, ends } = await deliver(bench, 2, 1);
  await done;
  expect(await ends()).toEqual([]);
});

it("records that it failed under an allowance, so that the plan requests it again (JOB-2)", async () => {
  await using bench = await startJoinBench({});
  const { done, ends } = await deliver(bench, 1, 1);
  await done;
  expect(await ends()).toMatchObject([
    { type: "join.abandoned", data: { cause: "interrupted", message: "wanted no call" } },
  ]);
});

it("uses no allowance of which an earlier worker may have used a part (JOB-3)", async () => {
  await using bench = await startJoinBench({});
  const { done, ends } = await deliver(bench, 1, 2);
  await done;
  expect(await ends()).toMatchObject([
    { type: "join.abandoned", data: { cause: "interrupted", forfeited: { tokens: 5_000, usd: 0 } } },
  ]);
});
