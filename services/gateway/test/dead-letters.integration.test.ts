// Dead letters as users see and handle them: grouped by cause and individually, each handled once.
import { type PlanEvent, PlanId } from "@planwright/plan";
import {
  createPublish,
  deadLetterSubject,
  factSubject,
  readPlanEvents,
  stepSubject,
} from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { fact, store, succeeded, wholeRun } from "./support/facts.ts";
import { startSystem, type TestGateway, type TestSystem } from "./support/start-gateway.ts";

const KEYS = { PLANWRIGHT_API_KEYS: "key-of-nobody,ann:key-of-ann,bob:key-of-bob" };
const [OPERATOR, ANN, BOB] = ["key-of-nobody", "key-of-ann", "key-of-bob"].map((key) => ({
  authorization: `Bearer ${key}`,
})) as [Headers_, Headers_, Headers_];
type Headers_ = { authorization: string };

const Page = z.object({
  total: z.int(),
  groups: z.array(z.looseObject({ group: z.string(), count: z.int(), cause: z.string() })),
  deadLetters: z.array(z.looseObject({ id: z.string(), kind: z.string(), group: z.string() })),
  nextCursor: z.string().optional(),
});

let system: TestSystem;
let gateway: TestGateway;
let other: TestGateway;

beforeAll(async () => {
  system = await startSystem();
  [gateway, other] = await Promise.all([
    system.gateway({ env: KEYS }),
    system.gateway({ folder: "other", env: KEYS }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway, other].map((one) => one?.[Symbol.asyncDispose]()));
  await system?.[Symbol.asyncDispose]();
});
beforeEach(() => system.bus.manager.streams.purge("DEAD"));

const submit = (headers = ANN) =>
  gateway.submit(
    { goal: "g", plan: { steps: [echo("a"), echo("b", { dependsOn: ["a"] }), echo("c")], answerFrom: "c" } },
    headers,
  );

let letters = 0;
async function bury(subject: string, cause: string, more: object = {}): Promise<void> {
  letters += 1;
  const letter = { cause, deliveries: 5, payload: '{"args":{"value":1}}', ...more };
  await createPublish(system.bus)(deadLetterSubject(subject), letter, { id: `letter ${letters}` });
}

/** Abandons a step as an executor does: first the dead letter, then the outcome. */
async function giveUp(planId: string, stepId: string, cause: string): Promise<void> {
  const run = { stepId, item: 0, attempt: 1 };
  await bury(stepSubject({ ...run, planId: PlanId.parse(planId), sentAfter: 0, pool: "default" }), cause);
  const error = { code: "deliveries_exhausted", message: cause };
  const at = "2026-01-01T00:00:00.000Z";
  const data = { ...run, workerId: "w1", startedAt: at, durationMs: 1, error, retryable: false };
  await store(system.bus, [fact(planId, "step.failed", data, `${planId}/${stepId}/1/done`)]);
}

async function skip(planId: string): Promise<void> {
  const data = { stepIds: ["b"], because: "a", reason: "needs a" };
  await store(system.bus, [fact(planId, "step.skipped", data)]);
}

const list = async (headers: Headers_, query = ""): Promise<z.output<typeof Page>> =>
  Page.parse(await (await gateway.get(`/v1/dead-letters${query}`, headers)).json());
const redrive = (one: TestGateway, id: string, headers = ANN) =>
  one.post(`/v1/dead-letters/${id}/redrive`, {}, headers);
const statusesOf = async (planId: string): Promise<string[]> => {
  const view = z
    .object({ steps: z.array(z.object({ id: z.string(), status: z.string(), attempt: z.int() })) })
    .parse(await (await gateway.get(`/v1/plans/${planId}`, ANN)).json());
  return view.steps.map(({ id, status, attempt }) => `${id} ${status} ${attempt}`);
};
const requestsOf = async (planId: string): Promise<PlanEvent[]> => {
  const found: PlanEvent[] = [];
  for await (const { event } of readPlanEvents(system.bus, PlanId.parse(planId)))
    if (event.type === "redrive.requested") found.push(event);
  return found;
};

it("lists dead letters by cause, by page and by plan", async () => {
  const { planId } = await submit();
  await giveUp(planId, "a", "failed 5 times, at last: connect ECONNREFUSED 127.0.0.1:9");
  await giveUp(planId, "c", "failed 5 times, at last: connect ECONNREFUSED 10.0.0.1:80");
  const { planId: second } = await submit();
  await giveUp(second, "a", 'no executor of pool default has a tool "x"');
  await bury("work.plan.p9.1", "malformed work");
  const page = await list(ANN);
  expect(page).toMatchObject({
    total: 3,
    groups: [
      { count: 2, kind: "step", pool: "default", cause: "failed # times, at last: connect ECONNREFUSED #" },
      { count: 1, cause: "no executor of pool default has a tool …" },
    ],
    deadLetters: [
      { kind: "step", planId: second, stepId: "a", attempt: 1, deliveries: 5 },
      { planId, stepId: "c" },
      { planId, stepId: "a" },
    ],
  });
  expect((await list(ANN, `?planId=${second}`)).deadLetters).toHaveLength(1);
  expect((await list(ANN, `?group=${page.groups[0]?.group ?? ""}`)).deadLetters).toHaveLength(2);
  const first = await list(ANN, "?limit=2");
  const rest = await list(ANN, `?limit=2&cursor=${first.nextCursor ?? ""}`);
  expect([...first.deadLetters, ...rest.deadLetters]).toEqual(page.deadLetters);
  expect(rest.nextCursor).toBeUndefined();
  expect((await gateway.get("/v1/dead-letters?cursor=x", ANN)).status).toBe(400);
  const metrics = await (await gateway.get("/metrics", OPERATOR)).text();
  expect(metrics).toContain("planwright_dead_letters 4\n");
});

it("shows tenants their own dead letters, and those that belong to no plan only to the operator", async () => {
  const { planId } = await submit(ANN);
  await giveUp(planId, "a", "boom");
  await bury("work.step.default.x", "malformed work: not a step");
  const [mine] = (await list(ANN)).deadLetters;
  expect((await list(BOB)).total).toBe(0);
  const [poison] = (await list(OPERATOR)).deadLetters;
  expect(poison).toMatchObject({ kind: "unknown", cause: "malformed work: not a step" });
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/redrive"],
    ["DELETE", ""],
  ] as const) {
    const response = await fetch(`${gateway.url}/v1/dead-letters/${mine?.id ?? ""}${path}`, {
      method,
      headers: BOB,
    });
    expect([method, response.status]).toEqual([method, 404]);
  }
  const detail = await gateway.get(`/v1/dead-letters/${mine?.id ?? ""}`, ANN);
  expect(await detail.json()).toMatchObject({ planId, payload: { args: { value: 1 } } });
  const refused = await redrive(gateway, poison?.id ?? "", OPERATOR);
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: "retry_refused" }]);
  await gateway.post("/v1/dead-letters/discard", { all: true }, BOB);
  expect((await list(OPERATOR)).total).toBe(1);
  const discard = { method: "DELETE", headers: OPERATOR };
  expect((await fetch(`${gateway.url}/v1/dead-letters/${poison?.id ?? ""}`, discard)).status).toBe(204);
  expect((await list(OPERATOR)).total).toBe(0);
  expect((await list(ANN)).total).toBe(1);
});

it("makes one attempt for a dead letter, whichever client retries it through whichever gateway", async () => {
  const { planId } = await submit();
  await giveUp(planId, "a", "boom");
  await skip(planId);
  await expect.poll(() => statusesOf(planId)).toEqual(["a failed 1", "b skipped 0", "c queued 1"]);
  const [letter] = (await list(ANN)).deadLetters;
  const id = letter?.id ?? "";
  const answers = await Promise.all(
    [gateway, other, gateway, other].map(async (one) => (await redrive(one, id)).status),
  );
  // Later requests find that it is already gone.
  expect(answers.toSorted((left, right) => left - right)[0]).toBe(202);
  expect(answers.every((status) => status === 202 || status === 404)).toBe(true);
  expect(await statusesOf(planId)).toEqual(["a queued 2", "b waiting 1", "c queued 1"]);
  expect(await requestsOf(planId)).toHaveLength(1);
  expect((await list(ANN)).total).toBe(0);
  expect((await redrive(other, id)).status).toBe(404);
});

it("removes the dead letter when a gateway died after requesting the retry", async () => {
  const { planId } = await submit();
  await giveUp(planId, "a", "boom");
  const data = { stepId: "a", item: 0, attempt: 1, by: "ann" };
  const asked = fact(planId, "redrive.requested", data, `${planId}/redrive/a/0/1`);
  await createPublish(system.bus)(factSubject(asked), asked, { id: asked.id });
  await expect.poll(() => statusesOf(planId)).toContain("a queued 2");
  const [letter] = (await list(ANN)).deadLetters;
  const response = await redrive(gateway, letter?.id ?? "");
  expect([response.status, await response.json()]).toMatchObject([202, { planId, stepId: "a", attempt: 2 }]);
  expect(await requestsOf(planId)).toHaveLength(1);
  expect((await list(ANN)).total).toBe(0);
});

it("refuses retries that would change nothing, keeps the dead letter, and explains what to do instead", async () => {
  const { planId: endedId } = await submit();
  await giveUp(endedId, "a", "boom");
  await store(system.bus, wholeRun(endedId, ["c"]));
  await expect.poll(() => statusesOf(endedId)).toContain("c succeeded 1");
  const { planId } = await submit();
  await giveUp(planId, "c", "boom");
  await store(system.bus, [succeeded(planId, "a")]);
  await bury(`work.plan.${planId}.1`, "the model's server is gone");
  const answers = await Promise.all(
    (await list(ANN)).deadLetters.map(async ({ id }) => {
      const response = await redrive(gateway, id);
      return `${response.status} ${await response.text()}`;
    }),
  );
  expect(answers).toEqual([
    expect.stringMatching(/^409 .*retry_refused.*a dead-lettered draft .*submit the goal again/),
    expect.stringMatching(/^202 .*"attempt":2/),
    expect.stringMatching(/^409 .*plan_ended.*submit the goal again/),
  ]);
  expect((await list(ANN)).total).toBe(2);
});

it("retries a group, or all retryable ones, together", async () => {
  const plans = await Promise.all([submit(), submit(), submit()]);
  for (const { planId } of plans) await giveUp(planId, "a", "boom");
  const [last] = plans.slice(-1);
  await giveUp(last?.planId ?? "", "c", "bang");
  const bang = (await list(ANN)).groups.find(({ cause }) => cause === "bang")?.group;
  const some = await gateway.post("/v1/dead-letters/redrive", { group: bang }, ANN);
  expect(await some.json()).toEqual({ retried: 1, refused: [], left: 0 });
  await bury("work.reflect.p-unknown.1", "lost");
  await bury(`work.plan.${last?.planId ?? ""}.1`, "lost too");
  const all = await gateway.post("/v1/dead-letters/redrive", { all: true }, ANN);
  expect(await all.json()).toMatchObject({ retried: 3, refused: [{ code: "retry_refused" }], left: 0 });
  expect((await gateway.post("/v1/dead-letters/redrive", { every: true }, ANN)).status).toBe(400);
  expect((await gateway.post("/v1/dead-letters/redrive", {}, ANN)).status).toBe(400);
  const discarded = await gateway.post("/v1/dead-letters/discard", { all: true }, ANN);
  expect(await discarded.json()).toEqual({ discarded: 1, left: 0 });
});
