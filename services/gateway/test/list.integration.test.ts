// Lists and searches come from a file that caches the log: it can be lost, damaged, or behind.
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { OWNER_TOOLS } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { echo } from "@planwright/testkit";
import { connectSocket } from "./support/connect-socket.ts";
import { ended, fact, store, wholeRun } from "./support/facts.ts";
import { ownPlan } from "./support/own-plan.ts";
import { sharedGateway, startSystem, type TestGateway, TOOLS, TWO_STEPS } from "./support/start-gateway.ts";

type Page = {
  readonly plans: readonly {
    readonly planId: string;
    readonly goal: string;
    readonly status: string;
    readonly needsApproval?: true;
  }[];
  readonly nextCursor?: string;
};

const { system, gateway } = await sharedGateway({ tools: [...TOOLS, ...OWNER_TOOLS] });

async function list(from: TestGateway, query = "", headers: Record<string, string> = {}): Promise<Page> {
  const response = await from.get(`/v1/plans${query}`, headers);
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

const goals = ({ plans }: Page) => plans.map(({ goal }) => goal);
/** Waits until the gateway has applied the plan's stored events. */
const shown = (from: TestGateway, planId: string, status: string) =>
  expect
    .poll(async () => (await list(from, "?limit=200")).plans.find((plan) => plan.planId === planId)?.status)
    .toBe(status);

describe("the list of plans", () => {
  it("shows each plan's state, newest first, a page at a time", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) {
      ids.unshift((await gateway.submit({ ...TWO_STEPS, goal: `paged ${index}` })).planId);
    }
    await store(system.bus, wholeRun(String(ids[0]), ["a", "b"]));
    await shown(gateway, String(ids[0]), "succeeded");
    const seen: string[] = [];
    let cursor = "";
    for (let pages = 0; pages < 4; pages++) {
      const page = await list(gateway, `?limit=3${cursor}`);
      seen.push(...page.plans.map(({ planId }) => planId));
      if (page.nextCursor === undefined) break;
      // Submissions made meanwhile do not shift the pages.
      ids.unshift((await gateway.submit({ goal: "in between" })).planId);
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(ids.filter((id) => seen.includes(id)));
    expect(seen).toHaveLength(7);
    const { plans } = await list(gateway, "?status=succeeded");
    const [{ durationMs = -1 } = {}] = plans as readonly { durationMs?: number }[];
    expect(plans).toEqual([
      {
        planId: seen[0],
        goal: "paged 6",
        status: "succeeded",
        ended: true,
        outcome: "succeeded",
        answerStatus: "success",
        strategy: "submitted",
        submittedAt: expect.any(String),
        endedAt: expect.any(String),
        durationMs,
        tokens: 0,
        costUsd: 0,
        progress: { done: 2, total: 2, percent: 100 },
      },
    ]);
  });

  it("distinguishes partially succeeded plans from the others, and finished ones from open ones", async () => {
    const { planId } = await gateway.submit({ ...TWO_STEPS, goal: "lacks something" });
    await store(system.bus, [...wholeRun(planId, ["a", "b"]).slice(0, -1), ended(planId, "partial")]);
    await shown(gateway, planId, "partial");
    const { plans } = await list(gateway, "?status=partial");
    expect(plans).toMatchObject([{ planId, status: "partial", ended: true, outcome: "partial" }]);
    expect((await list(gateway, "?status=open&limit=200")).plans.map((plan) => plan.planId)).not.toContain(
      planId,
    );
    const counts = await (await gateway.get("/v1/plans/counts?of=status%3Dpartial")).json();
    expect(counts).toMatchObject({ counts: [{ count: 1 }] });
  });

  it("contains a plan once it was submitted, however much the gateway still has to read", async () => {
    const { planId: busy } = await gateway.submit({ ...TWO_STEPS, goal: "busy" });
    const notes = Array.from({ length: 1_000 }, (_, index) =>
      fact(
        busy,
        "step.started",
        { stepId: "a", item: 0, attempt: 1, workerId: `w${index}` },
        `${busy}/${index}`,
      ),
    );
    const stored = Promise.all(notes.map((note) => store(system.bus, [note])));
    for (let times = 0; times < 4; times++) {
      const { planId } = await gateway.submit({ goal: "submitted behind them" });
      expect(goals(await list(gateway, `?q=${planId}`))).toEqual(["submitted behind them"]);
    }
    await stored;
  });

  it("is sorted as requested, a page at a time, and refuses a cursor of another order", async () => {
    const word = `sortable${randomUUID().slice(0, 8)}`;
    for (const [name, steps] of [
      ["Cherry", 1],
      ["apple", 3],
      ["banana", 2],
    ] as const) {
      const plan = { steps: Array.from({ length: steps }, (_, index) => echo(`s${index}`, { value: 1 })) };
      await gateway.submit({ goal: `${name} ${word}`, plan });
    }
    const sorted = async (query: string) =>
      goals(await list(gateway, `?q=${word}&${query}`)).map((goal) => goal.split(" ")[0]);
    await expect.poll(() => sorted("sort=steps")).toEqual(["apple", "banana", "Cherry"]);
    expect(await sorted("sort=steps&order=asc")).toEqual(["Cherry", "banana", "apple"]);
    expect(await sorted("sort=goal&order=asc")).toEqual(["apple", "banana", "Cherry"]);
    expect(await sorted("sort=started&order=asc")).toEqual(["Cherry", "apple", "banana"]);
    const first = await list(gateway, `?q=${word}&sort=goal&order=asc&limit=2`);
    expect(goals(first)[1]).toBe(`banana ${word}`);
    const rest = `q=${word}&limit=2&cursor=${first.nextCursor ?? ""}`;
    expect(goals(await list(gateway, `?${rest}&sort=goal&order=asc`))).toEqual([`Cherry ${word}`]);
    for (const other of ["", "&sort=goal", "&sort=steps&order=asc"]) {
      const refused = await (await gateway.get(`/v1/plans?${rest}${other}`)).json();
      expect(refused).toMatchObject({
        status: 400,
        detail: "cursor: wanted the nextCursor of an earlier page with the same sort and order",
      });
    }
  });

  it("is searched by words of goals and metadata, prefixes too", async () => {
    await gateway.submit({ goal: "Compare Übersee vendors", metadata: { team: "procurement-7" } });
    await gateway.submit({ goal: "Compare oranges", metadata: { team: "kitchen" } });
    expect(goals(await list(gateway, "?q=vendor"))).toEqual(["Compare Übersee vendors"]);
    expect(goals(await list(gateway, "?q=ubersee"))).toEqual(["Compare Übersee vendors"]);
    expect(goals(await list(gateway, "?q=compare+kitchen"))).toEqual(["Compare oranges"]);
    expect(goals(await list(gateway, "?q=compare&limit=1"))).toEqual(["Compare oranges"]);
    const { planId } = await gateway.submit({ goal: "found by its id" });
    expect(goals(await list(gateway, `?q=${planId}`))).toEqual(["found by its id"]);
  });

  it.each(['" OR qqqq', "NEAR(", "*", "goal:compare NOT", "'; DROP TABLE plans"])(
    "treats %j as words",
    async (q) => {
      expect((await list(gateway, `?q=${encodeURIComponent(q)}`)).plans).toEqual([]);
    },
  );

  it("is filtered, and counts the plans of several views", async () => {
    const since = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
    const word = "countable";
    const waits = {
      approval: { risk: "low" },
      plan: { steps: [{ id: "a", tool: "flow.echo", args: { value: 1 } }] },
    };
    const waiting = await gateway.submit({ goal: `${word} waits`, ...waits });
    await ownPlan(system.bus, waiting.planId);
    const done = await gateway.submit({ ...TWO_STEPS, goal: `${word} done` });
    await store(system.bus, wholeRun(done.planId, ["a", "b"]));
    await shown(gateway, done.planId, "succeeded");
    await gateway.submit({ goal: `${word} drafted`, strategy: "waves" });
    await expect.poll(async () => goals(await list(gateway, "?needs=approval"))).toEqual([`${word} waits`]);
    const listed = async (query: string) =>
      (await list(gateway, query)).plans.map(({ goal, needsApproval }) => [goal, needsApproval]);
    expect(await listed(`?q=${word}&status=open`)).toEqual([
      [`${word} drafted`, undefined],
      [`${word} waits`, true],
    ]);
    // Its old name.
    expect(goals(await list(gateway, "?needs=person"))).toEqual([`${word} waits`]);
    expect(goals(await list(gateway, `?q=${word}&status=open`))).toEqual([
      `${word} drafted`,
      `${word} waits`,
    ]);
    expect(goals(await list(gateway, `?q=${word}&strategy=submitted&since=${since}`))).toEqual([
      `${word} done`,
      `${word} waits`,
    ]);

    const views = [
      `q=${word}`,
      `q=${word}&status=open`,
      "needs=approval",
      `q=${word}&strategy=waves&since=${since}`,
      "status=paused",
    ];
    const search = views.map((view) => `of=${encodeURIComponent(view)}`).join("&");
    const counted = await (await gateway.get(`/v1/plans/counts?${search}`)).json();
    expect(counted).toEqual({ counts: [3, 2, 1, 1, 0].map((count) => ({ count, more: false })) });
  });

  it.each(["", "?of=status%3Dodd", "?of=since%3Dyesterday", `?${"of=&".repeat(41)}`])(
    "refuses to count %j",
    async (query) => {
      const response = await gateway.get(`/v1/plans/counts${query}`);
      expect(await response.json()).toMatchObject({ status: 400, code: "invalid_request" });
    },
  );

  it.each([
    "status=odd",
    "needs=me",
    "since=today",
    "limit=0",
    "limit=201",
    "limit=x",
    "cursor=!!",
    "cursor=AAAA",
    "sort=price",
    "order=up",
    "sort=cost&cursor=MTA0",
    `sort=cost&cursor=${Buffer.from('["cost","desc",null,7]').toString("base64url")}`,
  ])("refuses %s", async (query) => {
    const response = await gateway.get(`/v1/plans?${query}`);
    expect(await response.json()).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("names the possible sort values to a client that requested another one", async () => {
    const refused = await (await gateway.get("/v1/plans?sort=price")).json();
    expect(JSON.stringify(refused)).toMatch(/sort.*started.*duration.*cost/);
  });
});

describe("a watched list", () => {
  const TRACE = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false };
  type Change = { plans: { planId: string; goal: string; status: string }[]; removed: string[] };

  it("sends each plan of the tenant that is new or has changed, as the list shows it", async () => {
    const env = { PLANWRIGHT_API_KEYS: "eve:secret-1,mallory:secret-2" };
    const eve = { authorization: "Bearer secret-1" };
    await using keyed = await system.gateway({ folder: "watched", env });
    await using client = await connectSocket(keyed.url, { headers: eve });
    const seen = () =>
      client.told.flatMap((told) => (told.type === "plans" ? [told as unknown as Change] : []));
    client.say({ id: "l", type: "watch-plans" });
    await client.hear((message) => message["id"] === "l");
    const other = await keyed.submit({ goal: "not for eve" }, { authorization: "Bearer secret-2" });
    const { planId } = await keyed.submit({ ...TWO_STEPS, goal: "watched" }, eve);
    await expect
      .poll(
        () =>
          seen()
            .flatMap(({ plans }) => plans)
            .at(-1)?.goal,
      )
      .toBe("watched");
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    await expect
      .poll(
        () =>
          seen()
            .flatMap(({ plans }) => plans)
            .at(-1)?.status,
      )
      .toBe("succeeded");
    const { plans } = await list(keyed, `?id=${planId}`, eve);
    expect(
      seen()
        .flatMap((change) => change.plans)
        .at(-1),
    ).toEqual(plans[0]);
    for (const unseen of ["not for eve", other.planId])
      expect(JSON.stringify(client.told)).not.toContain(unseen);

    client.say({ id: "u", type: "unwatch-plans" });
    await client.hear((message) => message["id"] === "u");
    const before = seen().length;
    await keyed.submit({ goal: "not watched" }, eve);
    expect(goals(await list(keyed, "?limit=1", eve))).toEqual(["not watched"]);
    client.say({ id: "again", type: "watch-plans" });
    await client.hear((message) => message["id"] === "again");
    await store(system.bus, [fact(planId, "delete.requested", { by: "eve", trace: TRACE })]);
    await expect.poll(() => seen().at(-1)?.removed).toEqual([planId]);
    expect(
      seen()
        .slice(before)
        .flatMap((change) => change.plans),
    ).toEqual([]);
  });
});

describe("the list's file", () => {
  it("is rebuilt from the log when it was deleted or damaged (PROJECTION-1)", async () => {
    const expected = await list(gateway, "?limit=200");
    const file = path.join(system.folder, "lost", "gateway", "plans.sqlite");
    await (await system.gateway({ folder: "lost" }))[Symbol.asyncDispose]();
    await rm(file);
    await (await system.gateway({ folder: "lost" }))[Symbol.asyncDispose]();
    await writeFile(file, "this is no database, and long enough to be looked at as one".repeat(100));
    await using again = await system.gateway({ folder: "lost" });
    expect(await list(again, "?limit=200")).toEqual(expected);
    expect(goals(await list(again, "?q=vendors"))).toEqual(["Compare Übersee vendors"]);
  });

  it("continues where it stopped, with the events since then and complete open plans (PROJECTION-1)", async () => {
    const first = await system.gateway({ folder: "resumed" });
    const running = await first.submit({ ...TWO_STEPS, goal: "running meanwhile" });
    const run = wholeRun(running.planId, ["a", "b"]);
    await store(system.bus, run.slice(0, 2));
    await shown(first, running.planId, "running");
    await first[Symbol.asyncDispose]();
    await store(system.bus, run.slice(2, 4));
    await gateway.submit({ goal: "new meanwhile" });

    await using second = await system.gateway({ folder: "resumed" });
    const view = await (await second.get(`/v1/plans/${running.planId}`)).json();
    expect(view).toMatchObject({ seq: 5, progress: { done: 2, total: 2 } });
    expect(goals(await list(second, "?q=meanwhile"))).toEqual(["new meanwhile", "running meanwhile"]);
    await store(system.bus, run.slice(4));
    await shown(second, running.planId, "succeeded");
    expect(await list(second, "?limit=200")).toEqual(await list(gateway, "?limit=200"));
  });

  it("is ignored when it belongs to another log", async () => {
    await using other = await startSystem();
    await using elsewhere = await other.gateway({
      env: { PLANWRIGHT_DATA: path.join(system.folder, "resumed") },
    });
    expect((await list(elsewhere)).plans).toEqual([]);
  });
});

describe("a plan with sub-plans", () => {
  it("includes its sub-plans' progress", async () => {
    const run = (id: string) => ({ id, tool: "plan.run", args: { goal: id } });
    const parent = await gateway.submit({ goal: "two parts", plan: { steps: [run("a"), run("b")] } });
    const child = await gateway.submit({ ...TWO_STEPS, goal: "part a" });
    const begun = { stepId: "a", item: 0, attempt: 1, workerId: "planner", subPlan: child.planId };
    await store(system.bus, [fact(parent.planId, "step.started", begun)]);
    await store(system.bus, wholeRun(child.planId, ["a", "b"]).slice(0, 2));
    await shown(gateway, child.planId, "running");
    await expect
      .poll(async () => await (await gateway.get(`/v1/plans/${parent.planId}`)).json())
      .toMatchObject({ progress: { done: 0, total: 2, percent: 25 } });
  });
});

describe("sub-plans", () => {
  it("are marked in the list, and counted only as part of their parent", async () => {
    const goal = `part of ${randomUUID()}`;
    const parent = await gateway.submit({ ...TWO_STEPS, goal });
    const planId = `sub-${parent.planId}`;
    const stored = await gateway.get(`/v1/plans/${parent.planId}/events`, { accept: "application/json" });
    const { events } = (await stored.json()) as { events: { event: { data: object } }[] };
    const origin = { planId: parent.planId, stepId: "a", item: 0, attempt: 1, depth: 1 };
    await store(system.bus, [fact(planId, "goal.submitted", { ...events[0]?.event.data, parent: origin })]);
    const q = goal.replaceAll(/\W+/g, "+");
    await expect
      .poll(async () => (await list(gateway, `?q=${q}`)).plans)
      .toMatchObject([{ planId, parent: parent.planId, strategy: "submitted" }, { planId: parent.planId }]);
    const views = [`q=${q}`, `q=${q}&status=open`, `parent=${parent.planId}`];
    const search = views.map((view) => `of=${encodeURIComponent(view)}`).join("&");
    const counted = await (await gateway.get(`/v1/plans/counts?${search}`)).json();
    expect(counted).toEqual({ counts: [1, 1, 1].map((count) => ({ count, more: false })) });

    const running = async () =>
      /^planwright_plans\{status="running"\} (\d+)$/m.exec(await (await gateway.get("/metrics")).text())?.[1];
    const before = Number(await running());
    await store(system.bus, [
      fact(`${planId}-2`, "goal.submitted", { ...events[0]?.event.data, parent: origin }),
    ]);
    await shown(gateway, `${planId}-2`, "running");
    expect(Number(await running())).toBe(before);
  });
});

describe("tenants", () => {
  it("see their own plans only", async () => {
    const env = { PLANWRIGHT_API_KEYS: "ada:secret-1,bob:secret-2" };
    await using keyed = await system.gateway({ folder: "keyed", env });
    const ada = { authorization: "Bearer secret-1" };
    const bob = { authorization: "Bearer secret-2" };
    const { planId } = await keyed.submit({ goal: "ada's own" }, ada);
    expect(goals(await list(keyed, "", ada))).toEqual(["ada's own"]);
    expect(goals(await list(keyed, "", bob))).toEqual([]);
    for (const [who, count] of [
      [ada, 1],
      [bob, 0],
    ] as const) {
      const counted = await (await keyed.get("/v1/plans/counts?of=", who)).json();
      expect(counted).toEqual({ counts: [{ count, more: false }] });
    }
    expect(goals(await list(keyed, "?q=own", bob))).toEqual([]);
    for (const path of ["", "/events"]) {
      expect((await keyed.get(`/v1/plans/${planId}${path}`, ada)).status).toBe(200);
      expect((await keyed.get(`/v1/plans/${planId}${path}`, bob)).status).toBe(404);
    }
    expect((await keyed.post(`/v1/plans/${planId}/cancel`, {}, bob)).status).toBe(404);
    const key = { "idempotency-key": "same" };
    const [one, two] = await Promise.all(
      [ada, bob].map((who) => keyed.submit({ goal: "g" }, { ...who, ...key })),
    );
    expect(one?.planId).not.toBe(two?.planId);
    await store(system.bus, [ended(planId)]);
  });
});
