// Effects that happen at most once, without a death of a planner: effects.slow.e2e.test.ts has the others. The counts of a server
// outside of the system decide.
import { STREAMS } from "@planwright/shared/bus";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { effectKeyOf, effectStage } from "./support/effect-stage.ts";

const stage = await effectStage({ alone: [] });
const { effects } = stage;

describe("a worker that dies", () => {
  it("after it undid a step leaves it to a user to confirm that it happened, and undoes it once", async () => {
    const compensate = { tool: "http.send", agent: "c8", args: { url: effects.url("plain"), body: 1 } };
    const steps = [
      { id: "act", tool: "files.write", args: { path: "a", content: "a" }, compensate },
      { id: "long", tool: "flow.wait", args: { ms: 60_000 }, dependsOn: ["act"] },
    ];
    const { planId } = await stage.system.client.submit({ goal: "undo once", plan: { steps } });
    await expect
      .poll(async () => (await stage.system.client.view(planId)).steps.map(({ status }) => status))
      .toEqual(["succeeded", "running"]);
    const env = { EXECUTOR_POOLS: "c8", PLANWRIGHT_FAULTS: "effect.after-run=kill" };
    const death = once((await stage.system.start("executor", env)).process, "exit");
    await stage.system.client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
    await death;
    await stage.system.start("executor", { EXECUTOR_POOLS: "c8" });
    expect(await stage.decide(planId, { decision: "happened", by: "ann" })).toBe(200);
    const key = `${planId}/act/undo/0`;
    const view = await stage.system.client.ended(planId);
    expect(view).toMatchObject({
      status: "cancelled",
      compensations: [{ status: "succeeded", effectKey: key }],
      approvals: [{ approvalId: "unknown-act-undo-1", undo: true, decidedBy: "ann" }],
    });
    expect(view.effects.at(-1)).toMatchObject({ key, undo: true, status: "done", by: "ann" });
    expect(effects.count(key)).toBe(1);
  });
});

it("takes effect once when its work is in the queue twice (ONCE-1)", async () => {
  const held = effects.hold("before");
  const planId = await stage.send({ target: "plain", canCheck: true });
  await held.reached;
  const queued = async (): Promise<Record<string, number>> => {
    const filter = `work.step.default.${planId}.>`;
    return (
      (await stage.bus.manager.streams.info(STREAMS.work, { subjects_filter: filter })).state.subjects ?? {}
    );
  };
  const [subject = ""] = Object.keys(await queued());
  const work = await stage.bus.manager.streams.getMessage(STREAMS.work, { last_by_subj: subject });
  await stage.bus.js.publish(subject, work?.data, { msgID: `${planId}/twin` });
  await expect.poll(queued).toEqual({ [subject]: 1 });
  held.release();
  expect((await stage.system.client.ended(planId)).status).toBe("succeeded");
  expect(effects.requests.filter(({ key }) => key === effectKeyOf(planId))).toHaveLength(1);
});

describe("an answer that gets lost", () => {
  it.each([
    [{ target: "plain", canCheck: true } as const, "succeeded", 1],
    [{ target: "plain" } as const, "awaiting-approval", 1],
    [{ target: "deduping" } as const, "failed", 1],
  ])("after the effect, with %j, leaves it %s", async (sending, status, count) => {
    const held = effects.hold("after");
    const planId = await stage.send(sending);
    await held.reached;
    held.release({ drop: true });
    const view = await stage.untilStep(planId, status);
    expect(stage.countOf(planId)).toBe(count);
    expect(view.effects[0]?.status).toBe(status === "succeeded" ? "done" : "unknown");
  });

  it("before the effect, with a target that can be checked, has it done by the next attempt", async () => {
    const held = effects.hold("before");
    const args = { url: effects.url("plain"), checkUrl: effects.url("check") };
    const retry = { maxAttempts: 2, backoffMs: 1 };
    const { planId } = await stage.system.client.submit({
      goal: "act once",
      plan: { steps: [{ id: "act", tool: "http.send", args, retry }], answerFrom: "act" },
      approval: { risk: "never" },
    });
    await held.reached;
    held.release({ drop: true });
    const view = await stage.system.client.ended(planId);
    expect(view).toMatchObject({
      status: "succeeded",
      effects: [{ status: "failed" }, { status: "done" }],
    });
    expect(stage.countOf(planId)).toBe(1);
  });
});

it("records in the ledger a step that took effect while its plan was cancelled", async () => {
  const held = effects.hold("after");
  const planId = await stage.send({ target: "plain", canCheck: true });
  await held.reached;
  expect((await stage.system.client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" })).status).toBe(
    202,
  );
  const ended = await stage.system.client.ended(planId);
  held.release();
  await expect.poll(async () => (await stage.system.client.view(planId)).effects[0]?.status).toBe("done");
  expect(await stage.system.client.view(planId)).toMatchObject({ status: "cancelled", seq: ended.seq });
});
