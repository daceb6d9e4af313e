// The list of plans, the composer and the pages about the system, in a real browser over the whole system.
import { jetstream } from "@nats-io/jetstream";
import { connectNats } from "@planwright/shared/access";
import { wait } from "@planwright/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { seedPlans } from "./support/seed-plans.ts";

const stage = dashboardStage({ fresh: true });

type Box = { getBoundingClientRect(): { readonly bottom: number } };

/** More than the page counts one by one. */
const PLANS = 1_200;
const MINUTE_MS = 60_000;

const goalsShown = (page: Page) => page.locator("[data-part=plan-row-goal]").allTextContents();
const viewCount = (page: Page, name: string) =>
  page.getByRole("list", { name: "Views" }).getByRole("link", { name }).locator("[data-part=view-count]");

it("shows 1,200 plans, of which it draws those in sight, filters them, and keeps saved views", async () => {
  const { client, url, nats } = stage.system;
  const now = Date.now();
  const plans = Array.from({ length: PLANS }, (_, index) => {
    const status = index % 50 === 0 ? ("failed" as const) : ("succeeded" as const);
    const submittedAt = new Date(now - (PLANS - index) * MINUTE_MS).toISOString();
    return { goal: `seeded plan ${index}`, status, outcome: status, submittedAt };
  });
  await seedPlans(nats.url, plans);
  const question = { approval: { risk: "low" }, plan: { steps: [wait("a", 1)] } };
  const asking = await client.submit({ goal: "ask me first", ...question });
  await expect.poll(async () => (await client.view(asking.planId)).approvals.length).toBe(1);

  const tab = await stage.browser.open(url);
  const { page } = tab;
  await expect.poll(() => goalsShown(page)).toContain("seeded plan 1199");
  await expect.poll(() => viewCount(page, "All").textContent()).toBe("1,000+");
  await expect.poll(() => viewCount(page, "Needs approval").textContent()).toBe("1");

  // By keyboard to the first plan of all, page by page.
  await page.getByRole("searchbox", { name: "Search plans" }).press("ArrowDown");
  const focused = () =>
    page.evaluate("document.activeElement?.querySelector('[data-part=plan-row-goal]')?.textContent");
  await expect.poll(focused).toBe("ask me first");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("seeded plan 1199");
  await expect
    .poll(async () => {
      await page.keyboard.press("End");
      return goalsShown(page);
    })
    .toContain("seeded plan 0");
  expect(await page.locator("[data-part=plan-row]").count()).toBeLessThan(60);

  // What is new on top does not move what is read.
  const top = () => page.locator("[data-part=plan-row-goal]", { hasText: /^seeded plan 3$/ }).boundingBox();
  const before = await top();
  await client.submit({ goal: "new on top", plan: { steps: [wait("a", 60_000)] } });
  await expect.poll(() => viewCount(page, "Running").textContent()).toBe("2");
  await page.keyboard.press("Home");
  await expect.poll(() => goalsShown(page)).toContain("new on top");
  await page.keyboard.press("End");
  await expect.poll(async () => (await top())?.y).toBe(before?.y);

  await page.getByRole("searchbox", { name: "Search plans" }).fill("seeded 11");
  await page.getByRole("button", { name: "Filters" }).click();
  const filters = page.getByRole("group", { name: "Filters" });
  await filters.getByRole("combobox", { name: "Status" }).selectOption({ value: "failed" });
  await filters.getByRole("combobox", { name: "Strategy" }).selectOption({ label: "Parallel" });
  await expect.poll(() => goalsShown(page)).toEqual(["seeded plan 1150", "seeded plan 1100"]);
  await filters.getByRole("textbox", { name: "View name" }).fill("Failures of 11");
  await filters.getByRole("button", { name: "Save view" }).click();
  await expect.poll(() => viewCount(page, "Failures of 11").textContent()).toBe("2");
  expect(page.url()).toBe(`${url}/?list.q=seeded+11&list.status=failed&list.strategy=parallel`);

  await page.getByRole("link", { name: "Needs approval" }).click();
  await expect.poll(() => goalsShown(page)).toEqual(["ask me first"]);
  await page.locator("[data-part=plan-row]").click();
  await page.waitForURL(`${url}/plans/${asking.planId}?list.needs=approval`);
  await page.reload();
  await expect.poll(() => goalsShown(page)).toEqual(["ask me first"]);
  await page.getByRole("link", { name: "Failures of 11" }).click();
  await expect.poll(() => goalsShown(page)).toEqual(["seeded plan 1150", "seeded plan 1100"]);
  await page.getByRole("searchbox", { name: "Search plans" }).fill("no plan at all");
  await page.getByRole("heading", { name: "No matching plans" }).waitFor();

  await page.route("**/v1/plans?**", (route) =>
    route.fulfill({ status: 503, json: { code: "overloaded", detail: "Too many ask." } }),
  );
  await page.getByRole("button", { name: "Show all plans" }).click();
  await page.getByRole("alert").getByText("Too many ask.").waitFor();
  await page.unroute("**/v1/plans?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => goalsShown(page)).toContain("new on top");
  expect(tab.misconduct.foreign).toEqual([]);
});

it("shows the plans as a table that new ones enter by themselves, sorts it, and cancels a selection made by keyboard", async () => {
  const { client, url } = stage.system;
  const goals = ["table one", "table two", "table three"];
  for (const goal of goals) await client.submit({ goal, plan: { steps: [wait("a", 600_000)] } });
  const tab = await stage.browser.open(`${url}/plans?list.q=table`, {
    viewport: { width: 1440, height: 900 },
  });
  const { page } = tab;
  const rows = page.locator("[data-part=plans-rows] [role=row]");
  const goalsOf = () => rows.locator("[data-part=plans-goal] a").allTextContents();
  await expect.poll(goalsOf).toEqual(goals.toReversed());
  // A new plan comes in by itself.
  await client.submit({ goal: "table four", plan: { steps: [wait("a", 600_000)] } });
  await expect.poll(goalsOf).toEqual(["table four", ...goals.toReversed()]);
  await page.getByRole("button", { name: "Goal" }).click();
  await page.waitForURL(`${url}/plans?list.q=table&sort=goal`);
  await expect.poll(goalsOf).toEqual(["table four", "table one", "table three", "table two"]);
  expect(await axeFindings(page)).toEqual([]);

  await page.getByRole("searchbox", { name: "Search plans" }).press("ArrowDown");
  for (const keys of ["Space", "Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(keys);
  await page.getByRole("button", { name: "Cancel 3 plans" }).click();
  await page.getByRole("button", { name: "Yes, cancel 3 plans" }).click();
  await page.getByText("3 plans cancelled.").waitFor();
  await expect.poll(() => rows.getByText("Cancelled").count()).toBe(3);

  await page.getByRole("button", { name: "Clear selection" }).click();
  await page.getByRole("searchbox", { name: "Search plans" }).fill("");
  await expect.poll(() => rows.count()).toBeGreaterThan(25);
  const seen = () =>
    rows.evaluateAll(
      (all) => all.filter((row) => (row as unknown as Box).getBoundingClientRect().bottom <= 900).length,
    );
  expect(await seen()).toBeGreaterThanOrEqual(25);
  expect(await rows.count()).toBeLessThan(80);
  expectWellBehaved(tab);
});

it("attaches data by button and by dropping it, shows what would run, and runs that", async () => {
  const { client, url } = stage.system;
  const tab = await stage.browser.open(url);
  const { page } = tab;
  const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  const attached = page.getByRole("list", { name: "Attached" });
  const choose = page.locator("input[type=file]");
  await choose.setInputFiles([
    csv("Käufe 2025.csv", "region,total\nnorth,12\nsouth,30\n"),
    csv("picture.png", "x"),
    csv("empty.csv", ""),
  ]);
  await attached.getByText("Kaufe-2025").waitFor();
  await attached.getByText("picture.png: unsupported type").waitFor();
  await attached.getByText("empty.csv is empty").waitFor();
  await attached.getByRole("button", { name: "Remove picture.png" }).click();
  await attached.getByText("picture.png").waitFor({ state: "detached" });

  const dropped = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File(["region,total\\nwest,7\\n"], "shops.csv")); return data; })()`,
  );
  await page.locator("[data-part=composer-form]").dispatchEvent("drop", { dataTransfer: dropped });
  await attached.getByText("shops", { exact: true }).waitFor();
  await choose.setInputFiles([csv("Käufe 2025.csv", "region,total\nnorth,99\n")]);
  await attached.getByText("A data source Kaufe-2025 already exists").waitFor();
  await attached.getByRole("button", { name: "Attach as Kaufe-2025-2" }).click();
  await attached.getByText("Kaufe-2025-2", { exact: true }).waitFor();
  await choose.setInputFiles([csv("broken.db", "no database")]);
  await attached.getByText(/wanted a SQLite 3 database/).waitFor();
  expect((await client.fetch("/v1/data").then((answer) => answer.text())).includes("Kaufe-2025-2")).toBe(
    true,
  );

  await page.getByRole("textbox", { name: "Goal" }).fill("Compare the pricing of vendor A and vendor B");
  await page.getByText("Options (1)").click();
  // Deleted only after a question.
  await page.getByRole("button", { name: "Delete shops" }).click();
  await page.getByText("Delete shops? Plans that still need it will fail.").waitFor();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("checkbox", { name: /^shops / }).waitFor();
  await page.getByRole("button", { name: "Delete shops" }).click();
  await page.getByRole("button", { name: "Delete shops" }).click();
  await page.getByRole("checkbox", { name: /^shops / }).waitFor({ state: "detached" });
  expect(await client.fetch("/v1/data").then((answer) => answer.text())).not.toContain(
    `"name":"shops","kind"`,
  );
  await page.getByRole("checkbox", { name: /^sales / }).waitFor();
  expect(await page.getByRole("button", { name: "Delete sales" }).count()).toBe(0);
  for (const name of ["docs.search", "model.write"]) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("combobox", { name: "Require approval for" }).selectOption({ label: "every step" });
  await page.reload();
  await page.getByText("Options (3)").click();
  expect(await page.getByRole("checkbox", { name: "docs.search" }).isChecked()).toBe(true);
  await page.getByRole("combobox", { name: "Require approval for" }).selectOption({ label: "no steps" });
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Plan preview" });
  await preview.getByText("No approvals needed.").waitFor();
  const steps = await preview.getByRole("listitem").count();
  expect((await client.fetch("/v1/plans?q=pricing").then((answer) => answer.json())) as object).toEqual({
    plans: [],
  });
  await preview.getByRole("button", { name: "Run this plan" }).click();
  await page.waitForURL(/\/plans\/[\w-]+$/);
  const view = await client.ended(page.url().split("/").at(-1) ?? "");
  expect(view).toMatchObject({ outcome: "succeeded" });
  expect(view.steps).toHaveLength(steps);

  // What was submitted is no draft any more; a text goes along with the next goal.
  await page.getByRole("link", { name: "New goal" }).click();
  expect(await page.getByRole("textbox", { name: "Goal" }).inputValue()).toBe("");
  const text = "Tents are made of cloth. ".repeat(40);
  await choose.setInputFiles([{ name: "report.txt", mimeType: "text/plain", buffer: Buffer.from(text) }]);
  await attached.getByText(/characters, read in parts and summarized/).waitFor();
  await page.getByRole("textbox", { name: "Goal" }).fill("What does the report say?");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/plans\/[\w-]+$/);
  expect((await client.ended(page.url().split("/").at(-1) ?? "")).strategy).toBe("summarize");

  // What it took is what the same plan is expected to take now.
  const plan = { steps: [{ id: "a", tool: "docs.search", args: { query: "x" } }] };
  await page.goto(url);
  await page.getByRole("textbox", { name: "Goal" }).fill("once more");
  await page.getByText(/^Options/).click();
  await page.getByRole("textbox", { name: "Run an existing plan (JSON)" }).fill(JSON.stringify(plan));
  await page.getByRole("button", { name: "Preview" }).click();
  await preview
    .getByText(/^Estimated run: about [\d.]+ m?s, no model cost, from \d+ earlier runs?$/)
    .waitFor();
  expect(tab.misconduct.foreign).toEqual([]);
});

it("tries a tool in place, and opens dead letters one by one", async () => {
  const { client, url, nats } = stage.system;
  const tab = await stage.browser.open(`${url}/tools`);
  const { page } = tab;
  await page.getByRole("combobox", { name: "Effect" }).selectOption({ label: "read-only" });
  await page.getByRole("searchbox", { name: "Search tools" }).fill("math.evaluate");
  const tool = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "math.evaluate" }) });
  await tool.getByText("Arguments", { exact: true }).click();
  await tool.getByRole("row", { name: /expression required text/ }).waitFor();
  await tool.getByText("Try it").click();
  const run = tool.getByRole("button", { name: "Run math.evaluate" });
  expect(await run.isDisabled()).toBe(true);
  await tool.getByRole("textbox", { name: /expression/ }).fill("6 * 7");
  await run.click();
  const result = tool.getByRole("status", { name: "Result" });
  await result.getByText("Succeeded").waitFor();
  await result.getByText("42", { exact: true }).waitFor();
  const planId =
    (await result.getByRole("link", { name: "Plan", exact: true }).getAttribute("href"))?.split("/").at(-1) ??
    "";
  expect((await client.ended(planId)).goal).toBe("Try math.evaluate");

  await page.getByRole("combobox", { name: "Effect" }).selectOption({ value: "" });
  await page.getByRole("searchbox", { name: "Search tools" }).fill("http.send");
  await page.getByText("Try it").click();
  await page.getByText(/Runs at most once/).waitFor();
  await page.getByText(/requires approval before it runs/).waitFor();
  await page.getByRole("searchbox", { name: "Search tools" }).fill("no such tool");
  await page.getByRole("button", { name: "Show all tools" }).click();

  await page.getByRole("navigation", { name: "System" }).getByRole("link", { name: "Dead letters" }).click();
  await page.getByText(/failed five times, or killed their workers, appear here/).waitFor();
  const connection = await connectNats({ url: nats.url }, { name: "test" });
  for (const attempt of [7, 8]) {
    await jetstream(connection).publish(
      `work.step.default.${planId}.try.0.${attempt}.0`,
      `{ no work ${attempt}`,
    );
  }
  await connection.close();
  const group = page.getByRole("region", { name: /^Dead letters: .*wanted JSON/ });
  await group.getByText("Messages").click();
  await expect.poll(() => group.getByRole("listitem").count()).toBe(2);
  const newest = group.getByRole("listitem").first();
  await newest.getByText("Message payload").click();
  await newest.getByText("no work").waitFor();
  expect(await newest.getByRole("link", { name: "step try" }).getAttribute("href")).toBe(
    `/plans/${planId}?step=try`,
  );
  await newest.getByRole("button", { name: "Retry message" }).click();
  await newest.getByRole("alert").getByText("plan_ended").waitFor();
  await newest.getByRole("button", { name: "Discard message" }).click();
  await newest.getByRole("button", { name: "Yes, discard message" }).click();
  await expect.poll(() => group.getByRole("listitem").count()).toBe(1);
  expect(tab.misconduct.foreign).toEqual([]);
});
