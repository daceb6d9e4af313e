// What the page says of one step, of how a plan came to be what it is, of what it knows and of what it may use.
import { echo, judgementText, planPieces, startEffectCounter, wait } from "@planwright/testkit";
import { readFile } from "node:fs/promises";
import type { Locator, Page, Request } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { expectWellBehaved, scriptedDashboardStage } from "./support/dashboard-stage.ts";

const effects = await startEffectCounter();
const stage = scriptedDashboardStage({
  services: {
    executor: {
      HTTP_FETCH_ALLOW: effects.host,
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    },
  },
});
afterAll(() => effects[Symbol.asyncDispose]());

const ROWS = [
  { region: "North", shops: 2 },
  { region: "South", shops: 3 },
  { region: "West", shops: "many" },
];
const turn = (thought: string, tool: string | null, args: object, result: string | null = null) =>
  JSON.stringify({
    thought,
    tool,
    argsJson: JSON.stringify(args),
    result,
    requiresReplan: false,
    reason: null,
  });

function drawerOf(page: Page): Locator {
  return page.getByTestId("step-drawer");
}

/** A part of the drawer, by its title. */
function part(page: Page, title: string): Locator {
  return drawerOf(page)
    .locator("details.step-section")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) });
}

async function decide(planId: string, approvalId: string, more: object): Promise<void> {
  const response = await stage.system.client.fetch(`/v1/plans/${planId}/approvals/${approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve", ...more }),
  });
  expect(response.status).toBe(200);
}

it("shows all that is known of each step: its inputs, attempts, items, turns, effects, files and sub-plans", async () => {
  const { client, url } = stage.system;
  stage.model.play({
    write: "# Sum\n\nNorth has **2** shops.",
    react_turn: [
      turn("I count them", "math.evaluate", { expression: "2 + 3" }),
      JSON.stringify({
        thought: "and I add more",
        calls: ["1 + 40", "2 +"].map((expression) => ({ tool: "math.evaluate", args: { expression } })),
      }),
      turn("that is all", null, {}, "5 shops"),
    ],
  });
  const inner = {
    steps: [
      {
        id: "deep",
        tool: "plan.run",
        args: { goal: "deeper", plan: { steps: [echo("leaf", { value: "found" })] } },
      },
    ],
  };
  const steps = [
    echo("rows", { value: ROWS, description: "Read the shops" }),
    {
      id: "slow",
      tool: "flow.wait",
      args: { ms: 9_000 },
      timeoutMs: 150,
      retry: { maxAttempts: 2, backoffMs: 50 },
    },
    {
      id: "each",
      tool: "math.evaluate",
      forEach: { $ref: "rows.output" },
      args: { expression: "10 / shops", variables: { shops: { $ref: "item.shops" } } },
    },
    { id: "csv", tool: "files.write", args: { path: "shops.csv", content: "region,shops\nNorth,2\n" } },
    { id: "words", tool: "model.write", args: { prompt: "Sum up {{rows.output[0].region}}" } },
    { id: "loop", tool: "agent.react", args: { goal: "count them", tools: ["math.evaluate"] } },
    { id: "inner", tool: "plan.run", args: { goal: "look closer", plan: inner } },
    {
      id: "send",
      tool: "http.send",
      args: { url: effects.url("deduping"), body: { text: { $ref: "words.output.text" } } },
      dependsOn: ["each", "loop", "inner", "csv"],
    },
  ];
  const { planId } = await client.submit({
    goal: "tell how many shops there are",
    plan: { steps, answerFrom: "words" },
    approval: { risk: "high" },
  });
  await expect.poll(async () => (await client.view(planId)).approvals.length).toBe(1);
  const tab = await stage.browser.open(`${url}/plans/${planId}?step=send`);
  const { page } = tab;
  await drawerOf(page).getByText("Waits for a decision").waitFor();
  await drawerOf(page).getByTestId("why-waiting").getByText("http.send is of high risk").waitFor();
  const edits = { url: effects.url("deduping"), body: { text: "two" }, rejectsRepeats: true };
  await decide(planId, "risk-send-0", { edits, reason: "shorter" });
  const view = await client.ended(planId);

  // What acts: once, with what a person made of it.
  const inputs = part(page, "Arguments");
  await inputs.locator(".input", { hasText: "body" }).getByText("edited by").waitFor();
  await inputs.getByText('{"text":"two"}').waitFor();
  const { key } = view.effects.find(({ stepId }) => stepId === "send") ?? {};
  await part(page, "Effects").getByText("took effect", { exact: true }).waitFor();
  await part(page, "Effects").getByText(`${key}`, { exact: true }).waitFor();
  await part(page, "Decisions of people").getByText("Reason: shorter").waitFor();
  expect(effects.count(`${key}`)).toBe(1);
  const [sub] = view.steps.flatMap(({ child }) => child ?? []);
  await page.locator(`[data-plan="${sub}"][data-sub-plan="true"]`).getByText("Sub-plan").waitFor();
  await page.locator(`[data-plan="${planId}"][data-sub-plan="false"]`).waitFor();
  const faults: Record<string, readonly string[]> = {};
  const look = async (place: string) => {
    const found = await axeFindings(page);
    if (found.length > 0) faults[place] = found;
  };

  // A reference leads to the step that it is from.
  await page.goto(`${url}/plans/${planId}?step=words`);
  await part(page, "Arguments").getByText("Sum up North", { exact: true }).waitFor();
  await page.getByTestId("step-output").getByRole("heading", { name: "Sum" }).waitFor();
  const call = part(page, "Model calls");
  await call.getByTestId("model-call").locator("summary").click();
  await call.getByLabel("Message of user").getByText("Sum up").waitFor();
  await call.getByLabel("Message of assistant").getByText("North has").waitFor();
  await look("words");
  const traceLink = await drawerOf(page)
    .getByRole("link", { name: "Show in the trace" })
    .getAttribute("href");
  expect(traceLink).toMatch(/tab=trace&span=[0-9a-f]{16}$/);
  await part(page, "Arguments").getByRole("button", { name: "rows.output[0].region" }).click();
  await page.waitForURL(/step=rows/);
  await page.getByTestId("step-output").getByRole("cell", { name: "South" }).waitFor();

  await page.goto(`${url}/plans/${planId}?step=slow`);
  const attempts = part(page, "Attempts").getByRole("listitem");
  await expect.poll(() => attempts.count()).toBe(2);
  const slow = view.steps.find(({ id }) => id === "slow");
  await attempts.nth(0).getByText("tried again from").waitFor();
  await attempts
    .nth(1)
    .getByText(slow?.workerId ?? "no worker")
    .waitFor();
  await attempts.nth(1).getByText("timeout", { exact: true }).waitFor();

  const saved = page.waitForEvent("download");
  await drawerOf(page).getByRole("button", { name: "Download JSON" }).click();
  const file = await readFile(await (await saved).path(), "utf8");
  expect(JSON.parse(file)).toMatchObject({ id: "slow", attempts: [{ attempt: 1 }, { attempt: 2 }] });

  // The items, by what became of them.
  await page.goto(`${url}/plans/${planId}?step=each`);
  const items = part(page, "Items");
  await items.getByRole("button", { name: "rows.output", exact: true }).waitFor();
  await items.getByRole("button", { name: "Failed 1" }).click();
  await expect.poll(() => items.getByTestId("item").count()).toBe(1);
  await items.getByRole("button", { name: "All 3" }).click();
  await items.getByTestId("item").nth(1).locator("summary").first().click();
  await items.getByText('{"shops":3}', { exact: true }).waitFor();
  await items.getByText("attempt 1", { exact: true }).waitFor();

  await look("each");
  await page.goto(`${url}/plans/${planId}?step=loop`);
  const turns = part(page, "Turns");
  await turns.getByRole("listitem").first().getByText("I count them", { exact: true }).first().waitFor();
  await turns.getByRole("listitem").first().locator("summary").first().click();
  await turns.getByText("5", { exact: true }).waitFor();
  // The calls of one turn stand together, each with what came of it.
  const several = turns.getByTestId("turn").nth(1);
  await several.getByText("2 calls").waitFor();
  const calls = several.getByTestId("turn-call");
  expect(await calls.count()).toBe(2);
  await calls.first().getByText("41", { exact: true }).waitFor();
  await calls.nth(1).locator(".attempt-error").waitFor();
  await look("loop");

  await page.goto(`${url}/plans/${planId}?step=csv`);
  await drawerOf(page).getByRole("cell", { name: "North" }).waitFor();
  await drawerOf(page).getByRole("link", { name: "shops.csv" }).waitFor();

  // A plan in a plan in a plan, and back.
  await page.goto(`${url}/plans/${planId}?step=inner`);
  const outer = part(page, "Sub-plan").getByTestId("sub-plan").first();
  await outer.getByText("its sub-plan").click();
  await outer.getByRole("link", { name: /^leaf/ }).waitFor();
  await look("inner");
  await outer.getByRole("link", { name: /^leaf/ }).click();
  await page.waitForURL(/step=leaf/);
  const trail = page.getByRole("navigation", { name: "Part of" });
  await trail.getByRole("link", { name: "look closer deep" }).waitFor();
  await trail.getByRole("link", { name: "tell how many shops there are inner" }).click();
  await page.waitForURL(`${url}/plans/${planId}?step=inner`);
  expect(faults).toEqual({});
  expectWellBehaved(tab);
});

it("says what a person made of a plan, is used with the keyboard, and fits a phone", async () => {
  const { client, url } = stage.system;
  const long = "x".repeat(5_000);
  const last = echo("b", { value: { $ref: "a.output" }, dependsOn: ["a"] });
  const { planId } = await client.submit({
    goal: "show something long",
    plan: { steps: [echo("a", { value: "short" }), last], answerFrom: "b" },
    approval: { plan: true },
  });
  await expect.poll(async () => (await client.view(planId)).approvals.length).toBe(1);
  await decide(planId, "plan-0", { edits: { steps: [echo("a", { value: long }), last], answerFrom: "b" } });
  await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=revisions`, {
    viewport: { width: 360, height: 740 },
  });
  const { page } = tab;
  const edit = page.getByRole("article", { name: "Edited before it ran" });
  await edit.getByText("args.value").waitFor();
  await edit.getByText("short", { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("tab", { name: "Steps" }).click();
  const opener = page.getByRole("button", { name: /^b / });
  await opener.focus();
  await page.keyboard.press("Enter");
  await page.locator("#step-title:focus").waitFor();
  await part(page, "Arguments").getByRole("button", { name: "Show all (5,000 characters)" }).click();
  const widths = "[document.documentElement.scrollWidth, document.querySelector('.drawer').scrollWidth]";
  expect(await page.evaluate(widths)).toEqual([360, 360]);
  await page.keyboard.press("Escape");
  await drawerOf(page).waitFor({ state: "detached" });
  expect(await opener.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  expectWellBehaved(tab);
});

it("shows what a revision changed and why, what the plan knows, and what it may still use", async () => {
  const { client, url } = stage.system;
  const old = [
    echo("look", { value: "12 shops", description: "Look at the list" }),
    { id: "fail", tool: "files.read", description: "Read the rest", args: { path: "gone.csv" } },
  ];
  stage.model.play({
    plan: [
      () => planPieces({ steps: old }),
      () =>
        planPieces({
          steps: [
            echo("fail", { value: "the rest", description: "Read the rest" }),
            echo("end", { value: "{{fail.output}} of {{look.output}}" }),
          ],
          answerFrom: "end",
        }),
    ],
    judgement: () =>
      judgementText({ decision: "revise", reason: "the rest is missing", text: "half", sources: ["look"] }),
    state_patch: ({ number }) =>
      JSON.stringify({
        facts: [{ key: "Shops", value: number === 1 ? "12" : "13", confidence: 0.9, source: "line 1" }],
        openQuestions: number === 1 ? ["Who owns them?"] : [],
        answeredQuestions: [],
        replacePlan: null,
      }),
  });
  const { planId } = await client.submit({
    goal: "count the shops in the documents",
    facts: "all",
    budget: { usd: 500, tokens: 100_000 },
  });
  const view = await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}`);
  const { page } = tab;

  const cost = page.getByRole("meter", { name: "Cost used" });
  const used = view.budget?.used.usd ?? 0;
  expect(used).toBeGreaterThan(0);
  expect(await cost.getAttribute("aria-valuetext")).toBe(`$${used.toFixed(2)} of $500.00`);

  await page.getByRole("tab", { name: "Revisions" }).click();
  const revision = page.getByRole("article", { name: "Revision 1" });
  await revision.getByText("the rest is missing").waitFor();
  await revision.getByText("Asked for by whoever judged the results").waitFor();
  const changed = revision.getByRole("listitem").filter({ hasText: "Changed" });
  await changed.getByText("files.read").waitFor();
  await changed.getByRole("button", { name: "fail-d2" }).waitFor();
  await revision
    .getByRole("listitem")
    .filter({ hasText: "Added" })
    .getByRole("button", { name: "end" })
    .waitFor();

  await page.getByRole("tab", { name: "Facts" }).click();
  const fact = page.getByTestId("fact");
  await expect.poll(() => fact.count()).toBe(view.facts.length);
  await fact.getByText("13", { exact: true }).waitFor();
  await fact.getByText("Before: 12").waitFor();
  await page.getByText("Who owns them?").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const continuity = await page.getByRole("link", { name: "continuity.md" }).getAttribute("href");
  expect(await (await client.fetch(continuity ?? "")).text()).toContain("# Continuity of plan");
  await fact.getByRole("button").first().click();
  await drawerOf(page).waitFor();
  expectWellBehaved(tab);
});

it("reads a step's part of the trace when the step has changed, and never in between", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({ goal: "take long", plan: { steps: [wait("slow", 600_000)] } });
  await expect.poll(async () => (await client.view(planId)).steps[0]?.startedAt).toBeDefined();
  const tab = await stage.browser.open(url);
  const { page } = tab;
  let asked = 0;
  let answered = 0;
  const isTrace = (request: Request): boolean => request.url().endsWith(`/v1/plans/${planId}/trace`);
  page.on("request", (request) => {
    if (isTrace(request)) asked += 1;
  });
  page.on("requestfinished", (request) => {
    if (isTrace(request)) answered += 1;
  });
  await page.clock.install();
  await page.goto(`${url}/plans/${planId}?step=slow`);
  await drawerOf(page).waitFor();
  // Spans that arrive late are looked for after 1 s and after 5 s; after that, hours may pass.
  await expect.poll(() => answered).toBe(1);
  await page.clock.runFor(1_000);
  await expect.poll(() => answered).toBe(2);
  await page.clock.runFor(5_000);
  await expect.poll(() => answered).toBe(3);
  const before = asked;
  await page.clock.runFor(60_000);
  expect(asked).toBe(before);

  await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  await expect.poll(() => asked).toBeGreaterThan(before);
  await drawerOf(page).getByText("cancelled").first().waitFor();
  expectWellBehaved(tab);
});
