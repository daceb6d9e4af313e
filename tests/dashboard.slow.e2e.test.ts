// The page in a real browser, served by the gateway, over the whole system. What the page shows is held
// against what the HTTP interface says of the same plan.
import { jetstream } from "@nats-io/jetstream";
import { connectNats } from "@planwright/shared/access";
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { echo, wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";

const stage = dashboardStage({ alone: ["gateway"] });

/** What the first page loads, and all files together, compressed. */
const FIRST_BYTES_MAX = 200_000;
const FILES_BYTES_MAX = 440 * 1024;

const WAITS = {
  goal: "wait three times, then twice more",
  plan: {
    steps: [
      wait("a", 300),
      wait("b", 400),
      wait("c", 500),
      wait("d", 200, { dependsOn: ["a", "b", "c"] }),
      wait("e", 200, { dependsOn: ["d"] }),
    ],
    answerFrom: "e",
  },
};

/** The page's events as `seq type`, the oldest first. */
async function shownEvents(page: Page): Promise<string[]> {
  const rows = await page
    .getByTestId("event")
    .evaluateAll((elements) =>
      elements.map(
        (row) =>
          `${row.getAttribute("data-seq")} ${row.querySelector("[data-part=event-type]")?.textContent}`,
      ),
    );
  return rows.toReversed();
}

it("is small, and has no script in its HTML", async () => {
  const dist = path.resolve("packages/dashboard/dist");
  const html = await readFile(path.join(dist, "index.html"), "utf8");
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  const first = new Set(
    Array.from(html.matchAll(/"[^"]*(assets\/[^"]+\.(?:js|css))"/g), ([, file = ""]) => file),
  );
  let bytes = 0;
  let firstBytes = 0;
  for await (const file of glob("assets/*.{js,css}", { cwd: dist })) {
    const { byteLength } = gzipSync(await readFile(path.join(dist, file)));
    bytes += byteLength;
    if (first.has(file)) firstBytes += byteLength;
  }
  expect(firstBytes).toBeGreaterThan(100_000);
  expect(firstBytes).toBeLessThan(FIRST_BYTES_MAX);
  expect(bytes).toBeLessThan(FILES_BYTES_MAX);
});

it("takes a goal and shows its plan live, up to the answer and its trace", async () => {
  const { client, url } = stage.system;
  const tab = await stage.browser.open(url, { reducedMotion: "no-preference" });
  const { page } = tab;
  await page
    .getByRole("textbox", { name: "Goal" })
    .fill("Which region grew fastest in Q4 and what were its top products?");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/plans\/[\w-]+$/);
  await page.getByTestId("answer-text").waitFor();
  await page.locator('[data-part=plan-facts] [data-status="succeeded"]').waitFor();

  const view = await client.ended(page.url().split("/").at(-1) ?? "");
  const answer = (await page.getByTestId("answer-text").textContent()) ?? "";
  for (const figure of view.answer?.text.match(/\d[\d.,]*\d/g) ?? []) expect(answer).toContain(figure);
  expect(await page.getByTestId("trace-id").textContent()).toBe(view.traceId);
  for (const { id, status } of view.steps) {
    await page.locator(`[data-node="${id}"][data-status="${status}"]`).waitFor();
  }

  const [source = ""] = view.answer?.sources ?? [];
  await page.locator(`[data-node="${source}"]`).click();
  await page.getByTestId("step-output").waitFor();
  await page.keyboard.press("Escape");
  await page.getByTestId("step-drawer").waitFor({ state: "detached" });
  await page.locator(`[data-part=plan-row][aria-current] [data-status="succeeded"]`).waitFor();
  await page.getByText("Demo model (rule-based).", { exact: true }).waitFor();

  await page.getByRole("tab", { name: "Trace" }).click();
  await expect
    .poll(() =>
      page.getByTestId("span").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-service"))),
    )
    .toEqual(expect.arrayContaining(["gateway", "planner", "executor", "reflector"]));
  expectWellBehaved(tab);
});

it("shows two tabs the same events, those of the log", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit(WAITS);
  const tabs = await Promise.all([1, 2].map(() => stage.browser.open(`${url}/plans/${planId}?tab=events`)));
  const log: string[] = [];
  for await (const { seq, event } of client.events(planId)) log.push(`${seq} ${event.type}`);
  for (const tab of tabs) {
    await expect.poll(() => shownEvents(tab.page)).toEqual(log);
    await tab.page.locator('[data-part=plan-facts] [data-status="succeeded"]').waitFor();
    expectWellBehaved(tab);
  }
});

it("continues where it was when the gateway comes back", async () => {
  const { client, url } = stage.system;
  const args = { question: "Is it back?", choices: ["yes", "no"] };
  const steps = [{ id: "q", tool: "human.ask", args }, wait("b", 100, { dependsOn: ["q"] })];
  const { planId } = await client.submit({ goal: "outlast the gateway", plan: { steps, answerFrom: "b" } });
  const { page } = await stage.browser.open(`${url}/plans/${planId}`);
  const question = page.getByTestId("approval").filter({ hasText: "Is it back?" });
  await question.waitFor();
  await stage.system.kill("gateway");
  await page.locator('[data-connection="reconnecting"]').waitFor();
  await stage.system.start("gateway");
  await page.locator('[data-connection="open"]').waitFor();
  await question.getByRole("radio", { name: "yes" }).check();
  await question.getByRole("button", { name: "Answer" }).click();
  await page.locator('[data-part=plan-facts] [data-status="succeeded"]').waitFor();
  expect(await page.getByTestId("answer-text").textContent()).toBe("b");
});

it("pauses and resumes a plan, cancels it after asking, takes a rating, and deletes it after asking", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({ goal: "wait", plan: { steps: [wait("a", 60_000)] } });
  const tab = await stage.browser.open(`${url}/plans/${planId}`);
  await tab.page.getByRole("button", { name: "Pause plan" }).click();
  await tab.page.getByRole("button", { name: "Resume plan" }).click();
  await tab.page.getByRole("button", { name: "Pause plan" }).waitFor();
  expect((await client.view(planId)).status).toBe("running");
  await tab.page.getByRole("button", { name: "More actions" }).click();
  await tab.page.getByRole("button", { name: "Cancel plan" }).click();
  await tab.page.getByRole("button", { name: "Yes, cancel" }).click();
  await tab.page.locator('[data-part=plan-facts] [data-status="cancelled"]').waitFor();
  expect((await client.view(planId)).status).toBe("cancelled");
  await tab.page.getByRole("radio", { name: "2 of 5" }).check();
  await tab.page.getByRole("textbox", { name: "Comment" }).fill("too slow");
  await tab.page.getByRole("button", { name: "Send rating" }).click();
  await tab.page.getByRole("group", { name: "Your rating" }).waitFor();
  expect((await client.view(planId)).feedback).toMatchObject({ rating: 2, comment: "too slow" });
  await tab.page.getByRole("button", { name: "More actions" }).click();
  await tab.page.getByRole("button", { name: "Delete", exact: true }).click();
  await tab.page.getByRole("button", { name: "Keep it" }).click();
  await tab.page.getByRole("button", { name: "Delete", exact: true }).click();
  await tab.page.getByRole("button", { name: "Yes, delete permanently" }).click();
  await tab.page.waitForURL(`${url}/`);
  expect((await client.fetch(`/v1/plans/${planId}`)).status).toBe(404);
  expectWellBehaved(tab);
});

it("keeps its header low, and shows of a plan of 40 steps those that run, collapsed stages and an overview", async () => {
  const { client, url } = stage.system;
  const goal =
    "Compare the revenue of all regions over eight quarters, and say which deserves the budget of next year";
  const steps = Array.from({ length: 40 }, (_, index) => {
    const stageNumber = Math.floor(index / 5);
    const dependsOn = stageNumber === 0 ? [] : [`s${index - 5}`];
    const description = `Read region ${index % 5} of quarter ${stageNumber}`;
    return wait(`s${index}`, stageNumber < 5 ? 1 : 600_000, { dependsOn, description });
  });
  const { planId } = await client.submit({ goal: goal.repeat(3), plan: { steps } });
  const tab = await stage.browser.open("about:blank");
  const { page } = tab;
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto(`${url}/plans/${planId}`);
  const node = (id: string) => page.locator(`[data-node="${id}"]`);
  await page.locator('[data-node="s25"][data-status="running"]').waitFor();
  expect((await page.locator("[data-part=plan-header]").boundingBox())?.height).toBeLessThanOrEqual(120);
  await page.getByRole("img", { name: "Overview of the graph" }).waitFor();
  await page.getByRole("button", { name: "Show running steps" }).click();
  const width = async () => (await node("s25").boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(120);

  await page.getByRole("checkbox", { name: "Collapse finished stages" }).check();
  await expect.poll(() => page.locator("[data-node]").count()).toBe(24);
  await node("group:s0").getByText("Read region … of quarter 0").waitFor();
  await node("group:s0").press("Enter");
  const panel = page.getByRole("region", { name: "Steps in this group" });
  expect(await panel.getByRole("listitem").count()).toBe(5);
  expect(await panel.getByRole("heading").textContent()).toContain("5 steps: Read region … of quarter 0");
  await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  expectWellBehaved({ ...tab, misconduct: { ...tab.misconduct, foreign: [] } });
});

it("accepts a plan as JSON, and lets a user approve it as edited, reject with a reason, and answer", async () => {
  const { client, url } = stage.system;
  const question = { question: "Which region?", choices: ["north", "south"] };
  const steps = [
    echo("a", { value: "as planned" }),
    echo("b", { value: "never" }),
    { id: "q", tool: "human.ask", args: question },
  ];
  const tab = await stage.browser.open(url);
  const { page } = tab;
  await page.getByRole("textbox", { name: "Goal" }).fill("echo");
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("combobox", { name: "Require approval for" }).selectOption({ label: "every step" });
  await page.getByRole("spinbutton", { name: "Min steps" }).fill("2");
  await page.getByRole("spinbutton", { name: "Max steps" }).fill("9");
  await page.getByRole("checkbox", { name: "Require sources" }).check();
  const plan = page.getByRole("textbox", { name: /^Run an existing plan/ });
  await plan.fill(JSON.stringify({ steps: [{ id: "a", tool: "flow.ecko" }] }));
  await page.getByText(/there is no tool/).waitFor();
  await plan.fill(JSON.stringify({ steps, answerFrom: "a" }));
  await page.getByText("Valid plan with 3 steps").waitFor();
  await page.getByRole("button", { name: "Submit goal" }).click();
  await page.waitForURL(/\/plans\/[\w-]+$/);
  const planId = page.url().split("/").at(-1) ?? "";
  const cardOf = (text: string) => page.getByTestId("approval").filter({ hasText: text });

  const a = cardOf("as planned");
  await a.getByRole("button", { name: "Edit" }).click();
  await a.getByRole("textbox", { name: "value" }).fill("as somebody wants");
  await a.getByRole("button", { name: "JSON", exact: true }).click();
  const edits = a.getByRole("textbox", { name: "Edited arguments" });
  expect(await edits.inputValue()).toBe('{\n  "value": "as somebody wants"\n}');
  await edits.fill("{value: ");
  expect(await a.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
  await edits.fill('{"value": "as a person wants"}');
  await a.getByRole("button", { name: "Fields" }).click();
  expect(await a.getByRole("textbox", { name: "value" }).inputValue()).toBe("as a person wants");
  const changes = a.getByRole("region", { name: "Changes to the proposed arguments" });
  expect(await changes.locator("ins").allTextContents()).toEqual([expect.stringContaining("person")]);
  expect(await axeFindings(page)).toEqual([]);
  await a.getByRole("button", { name: "Approve as edited" }).click();

  const everywhere = await stage.browser.open(`${url}/approvals`);
  const b = everywhere.page.getByTestId("approval").filter({ hasText: "never" });
  await b.getByRole("textbox", { name: "Comment" }).fill("not this one");
  await b.getByRole("button", { name: "Reject" }).click();
  await b.waitFor({ state: "detached" });
  expectWellBehaved(everywhere);

  const q = cardOf("Which region?");
  await q.getByRole("radio", { name: "south" }).check();
  await q.getByRole("button", { name: "Answer" }).click();

  await page.getByTestId("answer-text").waitFor();
  await expect.poll(() => page.getByTestId("approval").count()).toBe(0);
  const view = await client.ended(planId);
  expect(view).toMatchObject({ status: "partial", ended: true });
  expect(view).toMatchObject({ planSize: { min: 2, max: 9 }, requireSources: true });
  await page.getByText("Plan details", { exact: true }).click();
  await page.getByText("2 to 9 steps", { exact: true }).waitFor();
  await page
    .locator('[data-part=plan-facts] [data-status="partial"]')
    .filter({ hasText: "Partially succeeded" })
    .waitFor();
  expect(view.answer?.text).toContain("as a person wants");
  expect(view.steps.find(({ id }) => id === "b")).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("not this one") },
  });
  expect(view.steps.find(({ id }) => id === "q")?.output).toMatchObject({ value: { answer: "south" } });

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "History" }).click();
  await page.waitForURL(`**/plans/${planId}?history=1`);
  await page.locator('[data-part=plan-facts] [data-status="awaiting-approval"]').waitFor();
  await page.getByTestId("answer-text").waitFor({ state: "detached" });
  await page.getByRole("slider", { name: "Event" }).press("End");
  await page.getByTestId("answer-text").waitFor();
  await page.getByRole("button", { name: "Back to live" }).click();

  await page.locator('[data-node="q"]').click();
  await page.getByRole("button", { name: "Fork from this step" }).click();
  await page.getByRole("textbox", { name: /^Arguments for the new run/ }).fill('{"question": "Which town?"}');
  await page.getByRole("button", { name: "Fork with these arguments" }).click();
  await page.waitForURL((to) => !to.pathname.endsWith(planId));
  await cardOf("Which town?").getByRole("textbox", { name: "Answer" }).fill("Brest");
  await cardOf("Which town?").getByRole("button", { name: "Reject" }).click();
  await page.getByText("forked from").waitFor();
  expectWellBehaved(tab);
});

it("runs an ended plan again, unchanged and after editing", async () => {
  const { client, url } = stage.system;
  const goal = "say it again";
  const plan = { steps: [{ id: "a", tool: "flow.echo", args: { value: "once" } }] };
  const kept = { constraints: ["be brief"], metadata: { team: "ops" }, maxReplans: 1 };
  const budget = { tokens: 5_000, steps: 50 };
  const { planId: first } = await client.submit({ goal, plan, budget, ...kept });
  await client.ended(first);
  const tab = await stage.browser.open(`${url}/plans/${first}`);
  const { page } = tab;
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForURL((to) => !to.pathname.endsWith(first));
  const second = await client.ended(new URL(page.url()).pathname.replace("/plans/", ""));
  expect(second).toMatchObject({ rerunOf: first, goal, steps: [{ output: { value: "once" } }] });
  await page.getByText("Re-run of").getByRole("link", { name: goal }).waitFor();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("link", { name: "Edit and run" }).click();
  await page.getByRole("heading", { name: "Edit and run again" }).waitFor();
  const field = page.getByRole("textbox", { name: "Goal" });
  await expect.poll(() => field.inputValue()).toBe(goal);
  await field.fill("say it differently");
  await page.getByText("Options (3)").click();
  await expect.poll(() => page.getByLabel("Constraints (one per line)").inputValue()).toBe("be brief");
  await page.getByLabel("Max tokens").fill("");
  const text = page.getByLabel("Run an existing plan (JSON)");
  await text.fill((await text.inputValue()).replace("once", "twice"));
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe("say it differently");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Preview: 1 step").waitFor();
  await page.getByRole("button", { name: "Submit goal" }).click();
  await page.waitForURL("**/plans/*");
  const third = await client.ended(new URL(page.url()).pathname.replace("/plans/", ""));
  expect(third).toMatchObject({
    rerunOf: second.planId,
    goal: "say it differently",
    steps: [{ output: { value: "twice" } }],
  });
  const submission = await (await client.fetch(`/v1/plans/${third.planId}/submission`)).json();
  expect(submission).toMatchObject({ ...kept, budget: { steps: 50 } });
  expect(submission).not.toHaveProperty("budget.tokens");
  expectWellBehaved(tab);
});

it("opens the metrics at their own and their old address, and leads from a bar and from a tool to the plans", async () => {
  const { client, url } = stage.system;
  const fails = { steps: [{ id: "a", tool: "math.evaluate", args: { expression: "1 +" } }] };
  const failed = await client.submit({ goal: "counted as failed", plan: fails });
  await client.ended(failed.planId);
  const succeeded = await client.submit({ goal: "counted as succeeded", plan: { steps: [wait("a", 1)] } });
  await client.ended(succeeded.planId);

  const tab = await stage.browser.open(`${url}/figures?range=hour&period=hour&strategy=submitted`);
  const { page } = tab;
  await page.waitForURL(`${url}/metrics?range=hour&period=hour&strategy=submitted`);
  // The same path has the metrics for Prometheus.
  await page.reload();
  await page.getByRole("row", { name: /^Success rate/ }).waitFor();
  const heading = page.getByRole("heading", { name: "Time to completion" });
  const trend = page.getByRole("figure").filter({ has: heading });
  await trend.getByRole("group", { name: "Time to completion by hour" }).waitFor();
  await trend.getByText("Show as table").click();
  const metrics = await client.fetch("/v1/metrics?last=hour&period=hour&strategy=submitted");
  const { byPeriod } = z
    .object({ byPeriod: z.array(z.object({ timeToCompletionMs: z.object({ p50: z.number().nullable() }) })) })
    .parse(await metrics.json());
  const drawn = byPeriod.filter(({ timeToCompletionMs: { p50 } }) => p50 !== null).length;
  expect(drawn).toBeGreaterThan(0);
  expect(await trend.locator('[data-line="0"] circle').count()).toBe(drawn);
  expect(await trend.getByRole("row").nth(1).textContent()).toMatch(/\d (ms|s)/);
  expect(await axeFindings(page)).toEqual([]);

  const goals = () => page.locator("[data-part=plans-goal] a").allTextContents();
  const bars = page.getByRole("group", { name: /^Finished plans per hour/ });
  await bars
    .getByRole("link", { name: /: Failed \d+\. Show plans$/ })
    .last()
    .click();
  await page.waitForURL(/\/plans\?.*list\.outcome=failed/);
  await expect.poll(goals).toContain("counted as failed");
  expect(await goals()).not.toContain("counted as succeeded");

  await page.goBack();
  const tools = page.getByRole("region", { name: "Top failing tools" });
  await tools.getByRole("link", { name: /^math\.evaluate/ }).click();
  const filters = page.getByRole("list", { name: "Filters of finished plans" });
  await filters.getByText("With failed tool math.evaluate").waitFor();
  await expect.poll(goals).toContain("counted as failed");
  expectWellBehaved(tab);
});

it("shows the tools, the workers, and the dead letters, which can be discarded", async () => {
  const { client, url, nats } = stage.system;
  const { planId } = await client.submit({ goal: "wait", plan: { steps: [wait("a", 1)] } });
  await client.ended(planId);
  const connection = await connectNats({ url: nats.url }, { name: "test" });
  await jetstream(connection).publish(`work.step.default.${planId}.a.0.9.0`, "{ no work at all");
  await connection.close();

  const tab = await stage.browser.open(url);
  const { page } = tab;
  const open = (name: string) =>
    page.getByRole("navigation", { name: "System" }).getByRole("link", { name }).click();
  await open("Tools");
  await page.getByRole("searchbox", { name: "Search tools" }).fill("flow.wait");
  await expect.poll(() => page.locator("[data-part=tool]").count()).toBe(1);
  await page.locator("[data-part=tool]").getByText("low risk").waitFor();

  await open("Workers");
  const { workers } = z
    .object({ workers: z.array(z.object({ workerId: z.string() })) })
    .parse(await (await client.fetch("/v1/workers")).json());
  for (const { workerId } of workers) await page.getByRole("cell", { name: workerId }).first().waitFor();

  await open("Dead letters");
  const deadLetters = page.getByRole("region", { name: /^Dead letters: .*wanted JSON/ });
  await deadLetters.getByRole("button", { name: "Discard" }).click();
  await deadLetters.getByRole("button", { name: "Yes, discard 1 message" }).click();
  await page.getByRole("heading", { name: "No dead letters" }).waitFor();
  expectWellBehaved(tab);
});

it("prompts once for the key that the gateway requires, and shows why a goal is refused", async () => {
  // A separate tenant, which has no plans yet.
  await stage.system.reconfigure("gateway", { PLANWRIGHT_API_KEYS: "keyed:right" });
  const { page, misconduct } = await stage.browser.open(stage.system.url);
  await page.getByRole("textbox", { name: "API key" }).fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("rejected this key").waitFor();
  await page.getByRole("textbox", { name: "API key" }).fill("right");
  await page.keyboard.press("Enter");
  await page.getByText("No plans yet").waitFor();

  await page.getByRole("textbox", { name: "Goal" }).fill("wait a moment");
  // The body is replaced on its way: the page itself sends no plan, neither one that is refused nor one that lasts.
  const submitWith = async (step: object): Promise<void> => {
    const postData = JSON.stringify({ goal: "g", plan: { steps: [step] } });
    await page.route("**/v1/plans", (route) => route.continue({ postData }), { times: 1 });
    await page.getByRole("button", { name: "Submit goal" }).click();
  };
  await submitWith({ id: "a", tool: "no.such" });
  await page.getByRole("alert").getByText("no.such").first().waitFor();
  await submitWith(wait("a", 60_000));
  await page.waitForURL(/\/plans\//);
  await page.locator('[data-connection="open"]').waitFor();
  expect(misconduct.foreign).toEqual([]);
});
