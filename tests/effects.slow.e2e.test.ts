// Workers and planners die or stand still around effects that happen at most once. The counts of a server outside of the system decide.
import { PlanEvent, type PlanId, type PlanView } from "@planwright/plan";
import { connectBus, readPlanEvents, STREAMS } from "@planwright/shared/bus";
import { openPlanLog, type TestSystem } from "@planwright/testkit";
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { runCli } from "../packages/cli/src/testing/run-cli.ts";
import { effectKeyOf, effectStage } from "./support/effect-stage.ts";
import { openBrowser } from "./support/open-browser.ts";

const stage = await effectStage({ alone: ["planner", "executor"] });
const { effects } = stage;

const planwright = (...args: string[]) => runCli(args, { env: { PLANWRIGHT_URL: stage.system.url } });

/** A plan that was cancelled while its worker stood still in the middle of an effect, and has ended without its outcome. */
async function endedWithoutOutcome(on: TestSystem, pool: string) {
  const { client } = on;
  await using own = await connectBus({ url: on.nats.url, name: "test" });
  const worker = await on.start("executor", { EXECUTOR_POOLS: pool });
  const call = (body: string) => ({
    tool: "http.send",
    agent: pool,
    args: { url: effects.url("plain"), body },
  });
  const steps = [{ ...call("book"), id: "book", compensate: call("give back {{book.output.status}}") }];
  const held = effects.hold("after");
  const approval = { risk: "never" } as const;
  const { planId } = await client.submit({
    goal: "book a room",
    plan: { steps, answerFrom: "book" },
    approval,
  });
  await held.reached;
  worker.process.kill("SIGSTOP");
  held.release();
  await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  const log = openPlanLog(own);
  await expect.poll(async () => (await log.plan(planId)).stopping).toBe(1);
  // As if the time were over that a worker has for saying how its step ended.
  const { watch } = await log.plan(planId);
  const fired = { timer: watch?.timer, deadline: watch?.deadline };
  const at = new Date().toISOString();
  const id = `${planId}/timer/${watch?.timer}/early`;
  await log.put(PlanEvent.parse({ id, type: "timer.fired", planId, at, data: fired }));
  const ended = await client.ended(planId);
  return { planId, ended, letWorkerReport: () => worker.process.kill("SIGCONT") };
}

/** The plan that undoes the late effect of another one, once it has been submitted, at its end. */
async function followUpOf(
  { client }: TestSystem,
  planId: PlanId,
): Promise<{ readonly id: string; readonly view: PlanView }> {
  const effect = async () => (await client.view(planId)).effects[0];
  await expect.poll(effect).toMatchObject({ status: "done", followedUpBy: expect.any(String) });
  const id = (await effect())?.followedUpBy ?? "none";
  await expect.poll(async () => (await client.fetch(`/v1/plans/${id}`)).status).toBe(200);
  return { id, view: await client.ended(id) };
}

it("undoes by a separate plan what a stopped worker turns out to have done after its plan was cancelled", async () => {
  const { planId, ended, letWorkerReport } = await endedWithoutOutcome(stage.system, "c9");
  expect(ended).toMatchObject({ status: "cancelled", effects: [{ status: "unknown" }] });
  expect(ended.reason).toContain("unknown whether these took effect: book (http.send)");
  letWorkerReport();
  const { id, view } = await followUpOf(stage.system, planId);
  expect(view).toMatchObject({ status: "succeeded", undoes: { planId, stepId: "book", attempt: 1 } });
  expect(view.steps[0]).toMatchObject({ id: "undo", args: { body: "give back 200" }, status: "succeeded" });
  expect([effects.count(`${planId}/book/0/0`), effects.count(`${id}/undo/0/0`)]).toEqual([1, 1]);
  expect(await stage.system.client.view(planId)).toMatchObject({ seq: ended.seq, status: "cancelled" });

  // The pages of the two plans lead to each other.
  await using browser = await openBrowser();
  const { page, misconduct } = await browser.open(`${stage.system.url}/plans/${id}`);
  await page.getByText("Undoes the effect of step book of book a room").waitFor();
  await page.getByRole("link", { name: "book a room", exact: true }).click();
  await page.waitForURL(`**/plans/${planId}`);
  await page.getByRole("link", { name: "open the compensating plan" }).click();
  await page.waitForURL(`**/plans/${id}`);
  expect(misconduct).toEqual({ errors: [], foreign: [] });
});

it.each([
  ["before it submits the plan that undoes it", "goal.before-publish", 404],
  ["after it has submitted the plan that undoes it", "goal.after-publish", 200],
])("undoes a late effect by one linked plan when the planner is killed %s", async (_when, point, known) => {
  // One late effect only: a planner that takes over submits again what it finds in the log.
  await stage.system.clear();
  const { client } = stage.system;
  const { planId, letWorkerReport } = await endedWithoutOutcome(stage.system, `late-${known}`);
  await stage.system.kill("planner");
  const doomed = await stage.system.start("planner", { PLANWRIGHT_FAULTS: `${point}=kill` });
  const death = once(doomed.process, "exit");
  letWorkerReport();
  expect(await death).toEqual([null, "SIGKILL"]);
  const followUp = async () => (await client.view(planId)).effects[0]?.followedUpBy;
  await expect.poll(followUp).toBeDefined();
  const path = `/v1/plans/${await followUp()}`;
  await expect.poll(async () => (await client.fetch(path)).status).toBe(known);

  await stage.system.start("planner");
  const { id, view } = await followUpOf(stage.system, planId);
  expect(view).toMatchObject({ status: "succeeded", undoes: { planId, stepId: "book", attempt: 1 } });
  expect([effects.count(`${planId}/book/0/0`), effects.count(`${id}/undo/0/0`)]).toEqual([1, 1]);
  // Its goal names the plan whose effect it undoes.
  const found = await (await client.fetch(`/v1/plans?q=${planId}`)).json();
  const { plans } = z.object({ plans: z.array(z.object({ planId: z.string() })) }).parse(found);
  expect(plans.map((plan) => plan.planId).toSorted()).toEqual([id, planId].toSorted());
});

/** Each in a separate pool, where its first worker dies; later one worker serves them all. */
const DEATHS = [
  { name: "before its start is stored", pool: "c1", point: "step-start.before-publish", target: "plain" },
  { name: "after its start is stored", pool: "c2", point: "step-start.after-publish", target: "plain" },
  {
    name: "after its start, and can be asked",
    pool: "c3",
    point: "step-start.after-publish",
    target: "plain",
    canCheck: true,
  },
  { name: "after it acted", pool: "c4", point: "effect.after-run", target: "plain" },
  {
    name: "after it acted, and can be asked",
    pool: "c5",
    point: "effect.after-run",
    target: "plain",
    canCheck: true,
  },
  {
    name: "after it acted on a target that drops repeats",
    pool: "c6",
    point: "effect.after-run",
    target: "deduping",
  },
  { name: "after its outcome is stored", pool: "c7", point: "outcome.after-publish", target: "plain" },
] as const;
type Death = (typeof DEATHS)[number];

describe("a worker that dies", () => {
  const plans = new Map<string, string>();
  const planOf = (pool: Death["pool"]): string => plans.get(pool) ?? "none";

  beforeAll(async () => {
    const die = async ({ pool, point, ...sending }: Death): Promise<void> => {
      const env = { EXECUTOR_POOLS: pool, PLANWRIGHT_FAULTS: `${point}=kill` };
      const doomed = await stage.system.start("executor", env);
      const death = once(doomed.process, "exit");
      plans.set(pool, await stage.send({ ...sending, pool }));
      await death;
    };
    // Two at a time: each is a process.
    const left = DEATHS.values();
    const dieInTurn = async (): Promise<void> => {
      for (const death of left) await die(death);
    };
    await Promise.all([dieInTurn(), dieInTurn()]);
    await stage.system.start("executor", { EXECUTOR_POOLS: DEATHS.map(({ pool }) => pool).join(",") });
  });

  it.each(DEATHS.filter(({ pool }) => pool !== "c2" && pool !== "c4"))(
    "$name leaves one effect and a plan that continues by itself (ONCE-2)",
    async ({ pool }) => {
      const view = await stage.system.client.ended(planOf(pool));
      expect(view).toMatchObject({ status: "succeeded", approvals: [] });
      expect(view.effects).toMatchObject([{ key: effectKeyOf(planOf(pool)), attempt: 1, status: "done" }]);
      expect(stage.countOf(planOf(pool))).toBe(1);
    },
  );

  it("after its start is stored leaves it to a user to run it again, with the same key (ONCE-3)", async () => {
    const planId = planOf("c2");
    const waiting = await stage.untilStep(planId, "awaiting-approval");
    expect(waiting).toMatchObject({ status: "awaiting-approval", effects: [{ status: "unknown" }] });
    expect(stage.countOf(planId)).toBe(0);
    expect(await planwright("show", planId)).toMatchObject({ out: expect.stringContaining("--run-again") });
    expect(await planwright("approve", planId)).toMatchObject({
      code: 5,
      err: expect.stringContaining("--happened"),
    });
    expect(await planwright("approve", planId, "--run-again")).toMatchObject({ code: 0 });
    const view = await stage.system.client.ended(planId);
    expect(view).toMatchObject({
      status: "succeeded",
      effects: [
        { attempt: 1, status: "unknown" },
        { attempt: 2, status: "done" },
      ],
    });
    expect(stage.countOf(planId)).toBe(1);
  });

  it("after the effect leaves it to a user to confirm that it happened: it is not repeated (ONCE-3)", async () => {
    const planId = planOf("c4");
    await stage.untilStep(planId, "awaiting-approval");
    expect(stage.countOf(planId)).toBe(1);
    expect(await planwright("approve", planId, "--happened", '{"id":7}')).toMatchObject({ code: 0 });
    const view = await stage.system.client.ended(planId);
    expect(view).toMatchObject({ status: "succeeded", answer: { data: { id: 7 } } });
    expect(await stage.decide(planId, { decision: "run-again" })).toBe(409);
    expect(stage.countOf(planId)).toBe(1);
  });
});

it("ignores a worker that was frozen before it began and resumes later (ONCE-1)", async () => {
  const pool = "still";
  const env = { EXECUTOR_POOLS: pool, PLANWRIGHT_FAULTS: "step-start.before-publish=stop" };
  const still = await stage.system.start("executor", env);
  const held = effects.hold("before");
  const planId = await stage.send({ target: "plain", canCheck: true, pool });
  // Redelivered a second and a half after the stopped worker's last renewal.
  await stage.system.start("executor", { EXECUTOR_POOLS: pool });
  await held.reached;
  still.process.kill("SIGCONT");
  // Deliveries in between may have gone to the one that stood still: which number begins first is open.
  const starts = async (): Promise<number[]> =>
    (await Array.fromAsync(readPlanEvents(stage.bus, planId))).flatMap(({ event }) =>
      event.type === "step.started" ? event.data.delivery : [],
    );
  await expect.poll(starts).toContain(1);
  expect((await starts())[0]).toBeGreaterThan(1);
  // It stops only when it has nothing in hand any more.
  expect(await still.stop()).toBe(0);
  // Its answer is not taken for that of the worker that acts.
  const queued = await stage.bus.manager.streams.info(STREAMS.work, {
    subjects_filter: `work.step.${pool}.>`,
  });
  expect(Object.values(queued.state.subjects ?? {})).toEqual([1]);
  held.release();
  expect((await stage.system.client.ended(planId)).status).toBe("succeeded");
  expect(stage.countOf(planId)).toBe(1);
  expect(effects.requests.filter(({ key }) => key === effectKeyOf(planId))).toEqual([
    { key: effectKeyOf(planId), target: "plain" },
  ]);
});
