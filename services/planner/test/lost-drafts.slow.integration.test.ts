// Drafts whose planner dies, stalls, is cancelled or is requested twice.
import { stopSubject } from "@planwright/shared/bus";
import { echo, planPieces, planText } from "@planwright/testkit";
import { expect, it } from "vitest";
import { abandonmentIn, plannedIds, startDraftBench } from "./support/draft-bench.ts";

/** A model that withholds the second step of its first plan, and is fast afterwards. */
const holding = (gate = "second") => ({
  plan: [
    (call: { hold(name: string): Promise<void> }) =>
      planPieces({ steps: [echo("s1"), echo("s2")] }, (id) => (id === "s2" ? call.hold(gate) : undefined)),
    planText({ steps: [echo("s1", { value: "new" }), echo("s2", { value: "new" })] }),
  ],
});

it("ends the draft of a planner that died, and writes the next one (DRAFT-1)", async () => {
  await using bench = await startDraftBench(holding());
  const dead = await bench.planner("dead");
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1"]);
  await dead.renewal[Symbol.asyncDispose]();
  await dead.bus.connection.close();
  await using _living = await bench.planner("living");
  expect(abandonmentIn(await bench.ended(planId, 1))).toMatchObject({
    cause: "interrupted",
    retryable: true,
  });
  await bench.dispatch(planId);
  expect((await bench.ended(planId, 2)).type).toBe("plan.sealed");
  expect(plannedIds(await bench.events(planId), 2)).toEqual(["s1-d2", "s2"]);
  bench.model.release("second");
});

it("stores nothing more from a planner that lost its draft but keeps running (DRAFT-2)", async () => {
  await using bench = await startDraftBench(holding());
  await using stale = await bench.planner("stale");
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1"]);
  // Stops renewing its message, as if the process had been suspended; the connection stays alive.
  await stale.renewal[Symbol.asyncDispose]();
  await using _other = await bench.planner("other");
  expect(abandonmentIn(await bench.ended(planId, 1)).cause).toBe("interrupted");
  const before = await bench.types(planId);
  bench.model.release("second");
  await bench.dispatch(planId);
  expect((await bench.ended(planId, 2)).type).toBe("plan.sealed");
  const draftOne = (await bench.types(planId)).slice(0, before.length);
  expect(draftOne).toEqual(before);
  expect(plannedIds(await bench.events(planId), 1)).toEqual(["s1"]);
});

it("hands a draft back when it stops, and the next planner ends it", async () => {
  await using bench = await startDraftBench(holding());
  const stopping = await bench.planner("stopping");
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await bench.model.reached("second");
  await stopping[Symbol.asyncDispose]();
  expect((await bench.plan(planId)).drafting.phase).toBe("open");
  await using _next = await bench.planner("next");
  expect(abandonmentIn(await bench.ended(planId, 1)).cause).toBe("interrupted");
});

it("leaves a live draft alone when its work message is delivered twice", async () => {
  await using bench = await startDraftBench(holding());
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await bench.model.reached("second");
  const { trace } = (await bench.plan(planId)).goal;
  await bench.publish(`work.plan.${planId}.1`, { planId, draft: 1, trace }, { id: "again" });
  const left = async () => (await bench.bus.manager.consumers.info("WORK", "planner")).num_ack_pending;
  await expect.poll(left).toBe(1);
  bench.model.release("second");
  expect((await bench.ended(planId)).type).toBe("plan.sealed");
  expect(bench.model.count("plan")).toBe(1);
});

it("aborts the model call when the plan is cancelled and a hint arrives", async () => {
  await using bench = await startDraftBench(holding());
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await bench.model.reached("second");
  await expect.poll(() => bench.types(planId)).toContain("step.planned");
  // A hint alone changes nothing: the plan still wants its draft.
  bench.bus.connection.publish(stopSubject(planId));
  await bench.tell(planId, "cancel.requested", { reason: "changed my mind", by: "me" });
  const before = await bench.types(planId);
  bench.bus.connection.publish(stopSubject(planId));
  const inHand = async () => (await bench.bus.manager.consumers.info("WORK", "planner")).num_ack_pending;
  await expect.poll(inHand).toBe(0);
  expect(await bench.types(planId)).toEqual(before);
});

it("does nothing for a plan that has ended or is unknown", async () => {
  await using bench = await startDraftBench({});
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.tell(planId, "cancel.requested", { reason: "no", by: "me" });
  const before = await bench.types(planId);
  const { trace } = (await bench.plan(planId)).goal;
  await bench.publish(`work.plan.${planId}.1`, { planId, draft: 1, trace }, { id: "late" });
  await bench.publish("work.plan.nobody.1", { planId: "nobody", draft: 1, trace }, { id: "unknown" });
  const info = async () => (await bench.bus.manager.consumers.info("WORK", "planner")).ack_floor.stream_seq;
  await expect.poll(info).toBe(2);
  expect(await bench.types(planId)).toEqual(before);
  expect(bench.model.requests.entries).toHaveLength(0);
});
