/** Plans of the demo model. */
import { JsonObject } from "@planwright/plan";
import { echo, wait } from "@planwright/testkit";
import { CHANGES_TO_APPROVE } from "../../tests/support/review-plan.ts";
import { planPage, shell, systemPages } from "./page-asks.ts";
import { type Scenario, until, untilTraced } from "./scenario.ts";

/** A plan that a reviewer edited before it ran, and all pages about the system. */
const edited: Scenario = async (recorder) => {
  const { client } = recorder;
  const plan = { steps: [wait("a", 1)], answerFrom: "a" };
  const { planId } = await client.submit({ goal: "wait", plan, approval: { plan: true } });
  recorder.name("edited", planId);
  await until(async () => (await client.view(planId)).approvals.length === 1);
  const edits = JsonObject.parse({ ...plan, steps: [wait("a", 2)] });
  await client.api.plans.approvals.approve(planId, "plan-0", { edits });
  await client.ended(planId);
  await untilTraced(client, planId, "execute_tool");
  await recorder.get(...shell(), ...systemPages(), ...(await planPage(client, planId)));
  await recorder.get("/v1/plans?q=wait&limit=20");
};

/** A plan that waits for approval, and is paused and resumed meanwhile. */
const waiting: Scenario = async (recorder) => {
  const { client } = recorder;
  const { planId } = await client.submit(CHANGES_TO_APPROVE);
  recorder.name("waiting", planId);
  await until(async () => (await client.view(planId)).approvals.length === 1);
  const { seq } = await client.view(planId);
  const plan = `/v1/plans/${planId}`;
  const news = [`${plan}`, `${plan}/events?after=${seq}`];
  const history = Array.from({ length: seq }, (_, index) => `${plan}?seq=${index + 1}`).slice(-2);
  await recorder.get(...shell(), "/v1/workers", ...(await planPage(client, planId)), ...history);
  await recorder.post(`${plan}/pause`, {});
  await until(async () => (await client.view(planId)).pause !== undefined);
  const { seq: paused } = await client.view(planId);
  await recorder.get(...shell(), ...news, `${plan}/events?after=${paused}`);
  await recorder.post(`${plan}/resume`, {});
  await until(async () => (await client.view(planId)).pause === undefined);
  // A page may have read the log during the pause, or not.
  const since = `${plan}/events?after=${paused}`;
  await recorder.get(...shell(), ...news, since, ...(await planPage(client, planId)));
};

const LONG_MS = 600_000;
/** Number of steps that makes a graph too large to draw each of them. */
const MANY = 160;
const chain = (...ids: string[]) =>
  ids.map((id, index) =>
    wait(id, id === "slow" ? LONG_MS : 1, { dependsOn: ids.slice(Math.max(0, index - 1), index) }),
  );
const side = (count: number) => Array.from({ length: count }, (_, index) => wait(`s${index}`, 1));

/** `sent` is how many steps count as used once the plan has reached its state. */
const BUDGETS = {
  near: { steps: [...side(9), wait("slow", LONG_MS)], budget: { steps: 11 }, sent: 10 },
  beyond: { steps: chain("a", "b", "slow", "d", "e"), budget: { steps: 3 }, sent: 3 },
  asked: { steps: chain("a", "b"), budget: { steps: 1, onExhausted: "ask" }, sent: 1 },
  ended: { steps: chain("a", "b"), budget: { steps: 1 }, sent: 1 },
} as const;

/** Plans near their limit, expected to exceed it, at it, and ended by it. */
const budgets: Scenario = async (recorder) => {
  const { client } = recorder;
  for (const [name, { steps, budget, sent }] of Object.entries(BUDGETS)) {
    const { planId } = await client.submit({ goal: `a plan ${name} its limit`, plan: { steps }, budget });
    recorder.name(name, planId);
    await until(async () => {
      const view = await client.view(planId);
      const isThere = name === "ended" ? view.ended : name !== "asked" || view.approvals.length === 1;
      const running = view.steps.filter(({ status }) => status === "running").map(({ id }) => id);
      const hasSettled = running.every((id) => id === "slow");
      return isThere && hasSettled && view.budget?.used.steps === sent;
    });
  }
  await recorder.get(
    ...shell(),
    ...Object.values(recorder.recording().plans).map((planId) => `/v1/plans/${planId}`),
  );
};

const TIMED = {
  goal: "measure three shops, save the sum and tell the team",
  approval: { risk: "medium" },
  plan: {
    steps: [
      wait("a", 300),
      wait("b", 700, { description: "Wait b" }),
      wait("c", 200, { description: "Wait c", dependsOn: ["a", "b"] }),
      wait("slow", 9_000, { timeoutMs: 150, retry: { maxAttempts: 2, backoffMs: 300 } }),
      { id: "each", tool: "flow.wait", forEach: [50, 100], args: { ms: { $ref: "item" } }, dependsOn: ["a"] },
      { id: "save", tool: "files.write", args: { path: "sum.txt", content: "6" }, dependsOn: ["a"] },
      wait("last", 400, { dependsOn: ["save", "c", "each"] }),
    ],
    answerFrom: "last",
  },
};

/** A plan whose steps ran, waited, were approved and were retried for measurable times. */
const timed: Scenario = async (recorder) => {
  const { client } = recorder;
  const { planId } = await client.submit(TIMED);
  recorder.name("timed", planId);
  const plan = `/v1/plans/${planId}`;
  await until(async () => {
    const { approvals, steps } = await client.view(planId);
    const open = steps.filter(({ status }) => !["succeeded", "failed"].includes(status));
    return approvals.length === 1 && open.every(({ id }) => id === "save" || id === "last");
  });
  const { seq } = await client.view(planId);
  await recorder.get(...shell(), ...(await planPage(client, planId)));
  await recorder.post(`${plan}/approvals/risk-save-0`, { decision: "approve" });
  await client.ended(planId);
  await untilTraced(client, planId, "invoke_workflow");
  const more = [`/events?after=${seq}`, "?seq=1", "/artifacts/files/sum.txt"].map((rest) => `${plan}${rest}`);
  await recorder.get(...shell(), ...(await planPage(client, planId)), ...more);
};

const MIXED = {
  goal: "Read two pages, one of which is not there, and say what they have in common",
  plan: {
    steps: [
      wait("first", 120),
      { id: "lost", tool: "http.fetch", args: { url: "http://127.0.0.1:9/x" } },
      { id: "said", tool: "model.write", args: { prompt: "Say it.", context: { $ref: "first.output" } } },
      { id: "apart", tool: "plan.run", args: { plan: { steps: [wait("inner", 30)], answerFrom: "inner" } } },
      wait("last", 60, { dependsOn: ["first"] }),
    ],
    answerFrom: "last",
  },
};

/** An ended plan with spans of all services, of a failed step and of a sub-plan. */
const traced: Scenario = async (recorder) => {
  const { client } = recorder;
  const { planId } = await client.submit(MIXED);
  recorder.name("traced", planId);
  await client.ended(planId);
  await until(async () => {
    const { spans } = await client.api.plans.trace(planId);
    return spans.filter(({ name }) => name.startsWith("invoke_workflow")).length === 2;
  });
  await recorder.get(...shell(), ...(await planPage(client, planId)));
};

/** A plan with a running, a queued and a waiting step, which is cancelled, and one with a running group of steps. */
const started: Scenario = async (recorder) => {
  const { client } = recorder;
  const steps = [
    wait("long", LONG_MS),
    wait("stuck", 1, { agent: "nobody" }),
    wait("next", 1, { dependsOn: ["long"] }),
  ];
  const { planId } = await client.submit({
    goal: "take your time",
    plan: { steps },
    budget: { seconds: 3_600 },
  });
  recorder.name("started", planId);
  await until(async () => (await client.view(planId)).steps[0]?.status === "running");
  const crowd = Array.from({ length: MANY }, (_, index) =>
    wait(`w${index}`, LONG_MS, { dependsOn: ["first"] }),
  );
  const { planId: crowded } = await client.submit({
    goal: "wait many times",
    plan: { steps: [wait("first", 1), ...crowd] },
  });
  recorder.name("crowd", crowded);
  await until(async () =>
    (await client.view(crowded)).steps.some(({ id, status }) => id === "w0" && status === "running"),
  );
  const { seq } = await client.view(planId);
  const plan = `/v1/plans/${planId}`;
  await recorder.get(
    ...shell(),
    "/v1/workers",
    ...(await planPage(client, planId)),
    `${plan}?seq=1`,
    `/v1/plans/${crowded}`,
  );
  await recorder.post(`${plan}/cancel`);
  await client.ended(planId);
  await recorder.get(...shell(), ...(await planPage(client, planId)), `${plan}/events?after=${seq}`);
};

const ONE_STEP = { steps: chain("a", "b") };

/** A plan at its limit, which a user raises. */
const raised: Scenario = async (recorder) => {
  const { client } = recorder;
  const budget = { steps: 1, seconds: 3_600, onExhausted: "ask" };
  const { planId } = await client.submit({ goal: "wait for leave", plan: ONE_STEP, budget });
  recorder.name("raised", planId);
  await until(async () => (await client.view(planId)).approvals.length === 1);
  const { approvals, seq } = await client.view(planId);
  const plan = `/v1/plans/${planId}`;
  await recorder.get(...shell(), ...(await planPage(client, planId)));
  await recorder.post(`${plan}/approvals/${approvals[0]?.approvalId}`, { decision: "approve" });
  await client.ended(planId);
  await recorder.get(...shell(), ...(await planPage(client, planId)), `${plan}/events?after=${seq}`);
};

const FIRST = echo("start", { value: 1 });

/** A plan whose graph can be searched, and one that is drawn in groups. */
const graphs: Scenario = async (recorder) => {
  const { client } = recorder;
  const waits = ["a", "b", "c"].map((id) => wait(id, 1, { dependsOn: ["start"], description: `Wait ${id}` }));
  const tail = Array.from({ length: 10 }, (_, index) =>
    echo(`tail${index}`, { value: index, dependsOn: ["join"] }),
  );
  const joined = [FIRST, ...waits, echo("join", { value: 2, dependsOn: ["a", "b", "c"] }), ...tail];
  const many = Array.from({ length: MANY }, (_, index) =>
    echo(`s${index}`, { value: index, dependsOn: ["start"] }),
  );
  const plans = { joined, grouped: [FIRST, ...many] };
  for (const [name, steps] of Object.entries(plans)) {
    const { planId } = await client.submit({
      goal: `a graph, ${name}`,
      plan: { steps, answerFrom: "start" },
    });
    recorder.name(name, planId);
    await client.ended(planId);
  }
  const { joined: small = "", grouped: large = "" } = recorder.recording().plans;
  await recorder.get(...shell(), ...(await planPage(client, small)), `/v1/plans/${large}`);
};

export const DEMO_PLANS: Readonly<Record<string, Scenario>> = {
  edited,
  waiting,
  budgets,
  timed,
  traced,
  started,
  raised,
  graphs,
};
