// The details of one step while it is decided and runs. Those of an ended step are tested without a browser
// (packages/dashboard/test).
import { echo, startEffectCounter, wait } from "@planwright/testkit";
import { readFile } from "node:fs/promises";
import type { Locator, Page, Request } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { expectWellBehaved, scriptedDashboardStage } from "./support/dashboard-stage.ts";
import { goTo } from "./support/go-to.ts";

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

it("follows a step through approval to its effect, and has no axe findings for any kind of step", async () => {
  const { client, url } = stage.system;
  stage.model.play({
    write: "# Sum\n\nNorth has **2** shops.",
    react_turn: [
      turn("I count them", "math.evaluate", { expression: "2 + 3" }),
      turn("that is all", null, {}, "5 shops"),
    ],
  });
  const steps = [
    echo("rows", { value: ROWS, description: "Read the shops" }),
    {
      id: "each",
      tool: "math.evaluate",
      forEach: { $ref: "rows.output" },
      args: { expression: "10 / shops", variables: { shops: { $ref: "item.shops" } } },
    },
    { id: "words", tool: "model.write", args: { prompt: "Sum up {{rows.output[0].region}}" } },
    { id: "loop", tool: "agent.react", args: { goal: "count them", tools: ["math.evaluate"] } },
    {
      id: "inner",
      tool: "plan.run",
      args: { goal: "look closer", plan: { steps: [echo("leaf", { value: "found" })] } },
    },
    {
      id: "send",
      tool: "http.send",
      args: { url: effects.url("deduping"), body: { text: { $ref: "words.output.text" } } },
      dependsOn: ["each", "loop", "inner"],
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
  await drawerOf(page).getByText("Waiting for a decision").waitFor();
  const edits = { url: effects.url("deduping"), body: { text: "two" }, rejectsRepeats: true };
  await client.api.plans.approvals.approve(planId, "risk-send-0", { edits, reason: "shorter" });
  const view = await client.ended(planId);

  // What acts: once, with what a person made of it.
  await part(page, "Arguments").getByText('{"text":"two"}').waitFor();
  const { key } = view.effects.find(({ stepId }) => stepId === "send") ?? {};
  await part(page, "Effects").getByText(`${key}`, { exact: true }).waitFor();
  expect(effects.count(`${key}`)).toBe(1);

  const faults: Record<string, readonly string[]> = {};
  const parts = { words: "Model calls", each: "Items", loop: "Turns", inner: "Sub-plan" };
  for (const [step, title] of Object.entries(parts)) {
    await goTo(page, `/plans/${planId}?step=${step}`);
    await part(page, title).waitFor();
    const found = await axeFindings(page);
    if (found.length > 0) faults[step] = found;
  }
  expect(faults).toEqual({});

  await goTo(page, `/plans/${planId}?step=words`);
  const call = part(page, "Model calls").getByTestId("model-call");
  await call.locator("summary").click();
  await call.getByLabel("Message of user").getByText("Sum up").waitFor();
  const saved = page.waitForEvent("download");
  await drawerOf(page).getByRole("button", { name: "Download JSON" }).click();
  const file = await readFile(await (await saved).path(), "utf8");
  expect(JSON.parse(file)).toMatchObject({ id: "words", attempts: [{ attempt: 1 }] });
  expectWellBehaved(tab);
});

it("fits a phone with a long value, and links to what the plan knows", async () => {
  const { client, url } = stage.system;
  stage.model.play({
    state_patch: JSON.stringify({
      facts: [{ key: "Shops", value: "13", confidence: 0.9, source: "line 1" }],
      openQuestions: ["Who owns them?"],
      answeredQuestions: [],
      replacePlan: null,
    }),
  });
  const { planId } = await client.submit({
    goal: "show something long",
    plan: { steps: [echo("a", { value: "x".repeat(5_000) })], answerFrom: "a" },
    facts: "all",
  });
  await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}?step=a`, {
    viewport: { width: 360, height: 740 },
  });
  const { page } = tab;
  await part(page, "Arguments").getByRole("button", { name: "Show all (5,000 characters)" }).click();
  const widths = "[document.documentElement.scrollWidth, document.querySelector('.drawer').scrollWidth]";
  expect(await page.evaluate(widths)).toEqual([360, 360]);
  await goTo(page, `/plans/${planId}?tab=facts`);
  await page.getByText("Who owns them?").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const continuity = await page.getByRole("link", { name: "continuity.md" }).getAttribute("href");
  expect(await (await client.fetch(continuity ?? "")).text()).toContain("# Continuity of plan");
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
