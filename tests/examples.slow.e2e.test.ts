// Every folder of examples/, on the whole system as processes. What an example shows is what its test checks.
import { glob, readFile } from "node:fs/promises";
import { readBlocks, textOf } from "@planwright/offline-model";
import { decide, evolve, newlyOwed, noPlan, type PlanEvent, type PlanView } from "@planwright/plan";
import { listExamples, loadExample, startExampleServer } from "@planwright/testkit";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import {
  endOf,
  exampleStage,
  expectInOrder,
  mostAtOnce,
  startOf,
  stepOf,
  valueOf,
} from "./support/example-stage.ts";
import { readReport } from "./support/read-report.ts";
import { salesFigures } from "./support/sales-figures.ts";
import { sharedSystem } from "./support/shared-system.ts";

const site = await startExampleServer("q4-sales");
afterAll(() => site[Symbol.asyncDispose]());
const shared = sharedSystem({
  alone: ["planner", "gateway"],
  services: { executor: { ...site.env, EXECUTOR_POOLS: "default,capped=2" } },
});
const { play, runToEnd } = exampleStage(shared);

it("has a test for every example, and describes what it shows", async () => {
  const sources: string[] = [];
  for await (const file of glob("tests/{,examples/}*.e2e.test.ts"))
    sources.push(await readFile(file, "utf8"));
  const [list = "", patterns = ""] = (await readFile("examples/README.md", "utf8")).split("## By pattern");
  for (const name of await listExamples()) {
    expect(sources.join("\n")).toMatch(new RegExp(`(?:play|startExampleServer)\\("${name}"\\)`));
    expect(list).toContain(`[${name}](${name})`);
    expect(patterns, "the pattern that it shows").toMatch(new RegExp(`[| ]${name}[,| ]`));
  }
});

it("abc-pricing: each search starts at its own closing brace, and compare when the slowest has ended", async () => {
  const request = await play("abc-pricing");
  const { client } = shared.system;
  const { planId } = await client.submit(request);
  const streamed: PlanEvent[] = [];
  for await (const { event } of client.events(planId)) {
    streamed.push(event);
    const succeeded = streamed.filter(({ type }) => type === "step.succeeded");
    // The model has not written its last step, and does not before all three searches have ended.
    if (succeeded.length === SEARCHES.length) shared.model.release("last-step");
    if (event.type === "plan.ended") break;
  }
  const sealed = streamed.findIndex(({ type }) => type === "plan.sealed");
  const ran = streamed
    .slice(0, sealed)
    .flatMap((event) => (event.type === "step.succeeded" ? [event.data.stepId] : []));
  // Comparing them may be faster than the rest of the draft.
  expect(ran).toEqual(expect.arrayContaining(SEARCHES));
  for (const search of SEARCHES) {
    const brace = streamed.findIndex(
      (event) => event.type === "step.planned" && event.data.step.id === search,
    );
    expect(startedAfter(streamed.slice(0, brace + 1))).toEqual([search]);
  }
  const view = await client.view(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { status: "success", sources: ["report"] } });
  const slowest = (of: PlanView) => Math.max(...SEARCHES.map((search) => endOf(of, search)));
  expect(startOf(view, "compare")).toBeGreaterThanOrEqual(slowest(view));

  const steps = view.steps.map(({ id, description, tool, args }) => ({ id, description, tool, args }));
  const submitted = await client.submit({ ...request, plan: { steps, answerFrom: "report" } });
  const whole = await client.ended(submitted.planId);
  const [goal] = await eventsOf(submitted.planId);
  expect(startedAfter(goal === undefined ? [] : [goal])).toEqual(SEARCHES);
  expect(startOf(whole, "compare")).toBeGreaterThanOrEqual(slowest(whole));
});

it("acme-competitors: two models, and each prompt holds only what its step depends on", async () => {
  const request = await play("acme-competitors");
  const view = await runToEnd(request);
  expect(view.status).toBe("succeeded");
  expect(view.answer?.text).toContain("Highpeak pricing");
  const [plan, ...more] = shared.model.calls("plan");
  expect([plan?.model, plan?.schemaName, more]).toEqual(["test-planner", "plan", []]);
  const hits = JSON.stringify(Object(valueOf(view, "pricing")).hits, undefined, 1);
  const { text } = Object(valueOf(view, "comparison"));
  const writes = shared.model.calls("write");
  expect(writes.map(({ model }) => model)).toEqual(["test-executor", "test-executor"]);
  // Word for word: there is room for no other step's result.
  const TODAY = /^<today>\n\d{4}-\d\d-\d\d\n<\/today>\n/;
  const users = writes.map((call) => textOf(call.request, "user"));
  expect(users).toEqual(users.map(() => expect.stringMatching(TODAY)));
  expect(users.map((user) => user.replace(TODAY, ""))).toEqual([
    `<task>\nCompare the prices.\n</task>\n<context>\n${hits}\n</context>`,
    `<task>\nCreate the summary report.\n</task>\n<context>\n${text}\n</context>`,
  ]);
  expectInOrder(view, ["competitors", "pricing", "comparison", "report"]);
});

it("dag: takes as long as its critical path, and no step waits for a slower sibling", async () => {
  const request = await play("dag");
  const view = await runToEnd(request);
  expect(view).toMatchObject({
    status: "succeeded",
    answer: { data: [1, 2, 3] },
    usage: { modelCalls: 0 },
    progress: { done: 7, total: 7, percent: 100 },
  });
  expect(mostAtOnce(view)).toBe(4);
  const firstOfThree = Math.min(...["a", "b", "c"].map((id) => endOf(view, id)));
  expect(endOf(view, "next")).toBeLessThan(firstOfThree);
  expect(view.criticalPath.stepIds).toHaveLength(3);
  expect(view.criticalPath.stepIds.slice(1)).toEqual(["join", "last"]);
  expectInOrder(view, view.criticalPath.stepIds);
  const makespan = endOf(view, "last") - Math.min(...view.steps.map(({ id }) => startOf(view, id)));
  expect(makespan).toBeGreaterThanOrEqual(view.criticalPath.durationMs - view.steps.length);
  expect(makespan).toBeLessThan(view.steps.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0));
});

it("dag: with a cap of two, two steps run at a time and never more", async () => {
  const request = await play("dag");
  const { plan } = z.object({ plan: z.looseObject({ steps: z.array(z.looseObject({})) }) }).parse(request);
  const steps = plan.steps.map((step) => ({ ...step, agent: "capped" }));
  const view = await runToEnd({ ...request, plan: { ...plan, steps } });
  expect(view).toMatchObject({ status: "succeeded", answer: { data: [1, 2, 3] } });
  expect(mostAtOnce(view)).toBe(2);
});

it("dashboard: one step after the other, and the deployment last", async () => {
  const view = await runToEnd(await play("dashboard"));
  expect(view).toMatchObject({ status: "succeeded", artifacts: [{ name: "files/deploy/dashboard.md" }] });
  expectInOrder(view, ["requirements", "schema", "api", "frontend", "tests", "deploy"]);
  expect(mostAtOnce(view)).toBe(1);
  expect(shared.model.count("write")).toBe(5);
});

it("online-shop: sign-in and catalog side by side, then the cart, then the checkout, the deployment last", async () => {
  const request = await play("online-shop");
  const { script } = await loadExample("online-shop");
  const both = ["Implement user authentication.", "Create the product catalog with its API."];
  shared.model.play({
    ...script,
    async write(call) {
      const task = call.blocks.get("task") ?? "";
      if (both.includes(task)) await call.hold("both");
      return `${task} Done.`;
    },
  });
  const { planId } = await shared.system.client.submit(request);
  const asked = () =>
    shared.model.calls("write").map((call) => readBlocks(textOf(call.request, "user")).get("task"));
  // Neither has been answered yet.
  await expect.poll(asked).toEqual(expect.arrayContaining(both));
  shared.model.release("both");
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    answer: { text: expect.stringContaining("payment provider") },
  });
  for (const first of ["auth", "product"])
    expectInOrder(view, ["database", first, "cart", "checkout", "payment"]);
  const others = view.steps.flatMap(({ id }) => (id === "deploy" ? [] : [endOf(view, id)]));
  expect(startOf(view, "deploy")).toBeGreaterThanOrEqual(Math.max(...others));
});

it("stateful-planning: after step 3 the plan is revised, and steps 1 to 3 are not run again", async () => {
  const request = await play("stateful-planning");
  const { system, model } = shared;
  const { planId } = await system.client.submit(request);
  await model.reached("last-step");
  await Promise.all([system.kill("planner"), system.kill("gateway")]);
  await Promise.all([system.start("planner"), system.start("gateway")]);
  // Where it stands, its results and what is left: all of it was in the log.
  const half = await system.client.view(planId);
  expect(half).toMatchObject({ status: "planning", progress: { done: 3 } });
  const done = ["competitors", "market", "feedback"];
  expect(half.steps.map(({ id, status }) => [id, status])).toEqual([
    ...done.map((id) => [id, "succeeded"]),
    ["synthesis", "waiting"],
    ["report", "waiting"],
  ]);
  for (const id of done) expect(valueOf(half, id)).toMatchObject({ hits: expect.any(Array) });
  model.release("last-step");
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", revision: 1, progress: { percent: 100 } });
  expect(view.answer?.text).toMatch(/quality.*warranty of 5 years/s);
  expect(view.revisions).toMatchObject([
    { cause: "requires_replan", causedBy: "feedback", kept: done, dropped: ["synthesis", "report"] },
  ]);
  const ran = (await eventsOf(planId)).flatMap((event) =>
    event.type === "step.succeeded" ? [event.data.stepId] : [],
  );
  expect(ran).toEqual([...done, "warranty", "quality-report"]);
});

it("deep-research: reflection adds one search, and every sentence that states a fact has its source", async () => {
  const view = await runToEnd(await play("deep-research"));
  expect(view).toMatchObject({ status: "succeeded", revision: 1, answer: { status: "success" } });
  for (const search of ["prices", "quality"]) expectInOrder(view, ["analysis", `words-${search}`, search]);
  expect(view.revisions).toMatchObject([
    { cause: "results", reason: expect.stringContaining("gap"), added: ["warranty"], dropped: [] },
  ]);
  expect(stepOf(view, "warranty").tool).toBe("docs.search");
  const sentences = view.answer?.text.split("\n") ?? [];
  expect(sentences).toHaveLength(4);
  const cited = sentences.map((sentence) => {
    const [, fact = "", id = "", document = ""] =
      /^([^[\]]+) \[([\w-]+), ([\w-]+\.md)\]\.$/.exec(sentence) ?? [];
    const { hits } = Object(valueOf(view, id)) as { hits: { path: string; snippet: string }[] };
    const source = hits.find(({ path, snippet }) => path === document && snippet.includes(fact));
    expect(source, sentence).toBeDefined();
    return id;
  });
  expect(view.answer?.sources).toEqual([...new Set(cited)]);
});

it("market-analysis: the synthesis waits for its inputs; as a direct goal it is one model call", async () => {
  const request = await play("market-analysis");
  const view = await runToEnd(request);
  expect(view.status).toBe("succeeded");
  expect(view.steps).toHaveLength(7);
  expect(view.goal).toBe(request["goal"]);
  expect(view.steps.every(({ successCriteria }) => successCriteria !== undefined)).toBe(true);
  expect(new Set(view.steps.map(({ tool }) => tool))).toEqual(new Set(["docs.search", "model.write"]));
  expect(stepOf(view, "strengths").dependsOn).toEqual(["competitors"]);
  expectInOrder(view, ["competitors", "strengths"]);
  const inputs = ["trends", "comparison"].map((id) => endOf(view, id));
  expect(startOf(view, "synthesis")).toBeGreaterThanOrEqual(Math.max(...inputs));
  const before = shared.model.requests.entries.length;
  const { client } = shared.system;
  const { planId } = await client.submit({ ...request, strategy: "direct" });
  expect((await client.ended(planId)).status).toBe("succeeded");
  expect(shared.model.requests.entries.length - before).toBe(1);
});

it("q4-sales: exact figures from the file, and a dashboard that is deployed after approval", async () => {
  const { script } = await loadExample("q4-sales");
  shared.model.play(script ?? {});
  const { client } = shared.system;
  const { planId } = await client.submit(site.request);
  for await (const { event } of client.events(planId)) if (event.type === "approval.requested") break;
  const waiting = await client.view(planId);
  expect(waiting.steps.filter(({ status }) => status !== "succeeded")).toMatchObject([
    { id: "deploy", status: "awaiting-approval" },
  ]);
  expect(waiting.approvals).toMatchObject([{ approvalId: "risk-deploy-0", status: "pending" }]);
  const deployed = async (path: string) => fetch(new URL(path, site.url));
  expect((await deployed("/q4")).status).toBe(404);

  const path = `/v1/plans/${planId}/approvals/risk-deploy-0`;
  const headers = { "content-type": "application/json" };
  await client.fetch(path, {
    method: "POST",
    headers,
    body: JSON.stringify({ decision: "approve", by: "ann" }),
  });
  const view = await client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { status: "success" } });
  expect(view.effects.filter(({ effect }) => effect === "once")).toMatchObject([
    { stepId: "deploy", status: "done" },
  ]);
  const expected = await salesFigures("examples/data/sales.csv");
  const { fastest, products, regions } = expected;
  expect(view.answer?.text).toContain(`${fastest.region} grew fastest: ${fastest.growth}%`);
  for (const { product, revenue } of products) expect(view.answer?.text).toContain(`${product} (${revenue})`);

  expect(await (await deployed("/deployments")).json()).toEqual([`${planId}/deploy/0/0`]);
  const page = readReport(await (await deployed("/q4")).text());
  expect(page.title).toBe("Sales in the fourth quarter");
  const rounded = (rows: string[][] = []) =>
    rows.slice(1).map(([name, ...cells]) => [name, ...cells.map(Number)]);
  expect(rounded(page.tables[0])).toEqual(
    regions.map(({ region, q3, q4, growth }) => [region, q3, q4, Number(growth)]),
  );
  expect(rounded(page.tables[1])).toEqual(products.map(({ product, revenue }) => [product, Number(revenue)]));
  expect(page.charts).toHaveLength(2);
  for (const { region } of regions) for (const chart of page.charts) expect(chart).toContain(region);
});

it("top-frameworks: a comparison table, and a failed step that is reported and loses nothing else", async () => {
  const view = await runToEnd(await play("top-frameworks"));
  const failed = stepOf(view, "downloads");
  expect(failed).toMatchObject({ status: "failed", error: { message: expect.any(String) } });
  expect(view.steps.filter(({ status }) => status === "succeeded")).toHaveLength(4);
  expect(view.answer?.status).toBe("partial");
  const [head, line, ...rows] = view.answer?.text.split("\n").filter((text) => text.startsWith("|")) ?? [];
  expect([head, line]).toEqual(["| framework | notes |", "|---|---|"]);
  expect(rows.map((row) => row.split(" | ")[0])).toEqual(["| Django", "| FastAPI", "| Flask"]);
  expect(rows.every((row) => /\| [A-Z][^|]{20,} \|$/.test(row))).toBe(true);
  // Said by the system, not by the model, which had left it out.
  expect(view.answer?.text).toContain("downloads");
});

const SEARCHES = ["search-a", "search-b", "search-c"];

async function eventsOf(planId: string): Promise<PlanEvent[]> {
  const events: PlanEvent[] = [];
  for await (const { event } of shared.system.client.events(planId)) {
    events.push(event);
    if (event.type === "plan.ended") break;
  }
  return events;
}

/** The steps that are sent because of the last of these facts, in the turn in which it is read. */
function startedAfter(events: readonly PlanEvent[]): string[] {
  const before = events.slice(0, -1).reduce(evolve, noPlan);
  const plan = events.slice(-1).reduce(evolve, before);
  if (plan.status === "absent") throw new Error("wanted a plan");
  return decide(plan, newlyOwed(before, plan)).flatMap((command) => {
    if (command.kind === "run") return [command.work.stepId];
    return command.kind === "unit" ? command.work.steps.map(({ stepId }) => stepId) : [];
  });
}
