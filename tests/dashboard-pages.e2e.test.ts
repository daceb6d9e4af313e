// The list of plans, the composer and the pages about the system, in a real browser over the whole system.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardStage, expectWellBehaved, wait } from "./support/dashboard-stage.ts";
import { seedPlans } from "./support/seed-plans.ts";

const stage = dashboardStage();

const PLANS = 5_000;
const MINUTE_MS = 60_000;

const goalsShown = (page: Page) => page.locator(".plan-row-goal").allTextContents();
const viewCount = (page: Page, name: string) =>
  page.getByRole("list", { name: "Views" }).getByRole("link", { name }).locator(".view-count");

it("shows 5,000 plans, of which it draws those in sight, filters them, and keeps views of one's own", async () => {
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
  await expect.poll(() => goalsShown(page)).toContain("seeded plan 4999");
  await expect.poll(() => viewCount(page, "All").textContent()).toBe("1,000+");
  await expect.poll(() => viewCount(page, "Needs approval").textContent()).toBe("1");

  // By keyboard to the first plan of all, page by page.
  await page.getByRole("searchbox", { name: "Search plans" }).press("ArrowDown");
  const focused = () => page.evaluate("document.activeElement?.querySelector('.plan-row-goal')?.textContent");
  await expect.poll(focused).toBe("ask me first");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("seeded plan 4999");
  await expect
    .poll(async () => {
      await page.keyboard.press("End");
      return goalsShown(page);
    })
    .toContain("seeded plan 0");
  expect(await page.locator(".plan-row").count()).toBeLessThan(60);

  // What is new on top does not move what is read.
  const top = () => page.locator(".plan-row-goal", { hasText: /^seeded plan 3$/ }).boundingBox();
  const before = await top();
  await client.submit({ goal: "new on top", plan: { steps: [wait("a", 60_000)] } });
  await expect.poll(() => viewCount(page, "Running").textContent()).toBe("2");
  await page.keyboard.press("Home");
  await expect.poll(() => goalsShown(page)).toContain("new on top");
  await page.keyboard.press("End");
  await expect.poll(async () => (await top())?.y).toBe(before?.y);

  await page.getByRole("searchbox", { name: "Search plans" }).fill("seeded 49");
  await page.getByRole("button", { name: "Filters" }).click();
  const filters = page.getByRole("group", { name: "Filters" });
  await filters.getByRole("combobox", { name: "Status" }).selectOption({ value: "failed" });
  await filters.getByRole("combobox", { name: "Strategy" }).selectOption({ label: "Parallel" });
  await expect.poll(() => goalsShown(page)).toEqual(["seeded plan 4950", "seeded plan 4900"]);
  await filters.getByRole("textbox", { name: "Name of the view" }).fill("Failures of 49");
  await filters.getByRole("button", { name: "Save view" }).click();
  await expect.poll(() => viewCount(page, "Failures of 49").textContent()).toBe("2");
  expect(page.url()).toBe(`${url}/?list.q=seeded+49&list.status=failed&list.strategy=parallel`);

  await page.getByRole("link", { name: "Needs approval" }).click();
  await expect.poll(() => goalsShown(page)).toEqual(["ask me first"]);
  await page.locator(".plan-row").click();
  await page.waitForURL(`${url}/plans/${asking.planId}?list.needs=person`);
  await page.reload();
  await expect.poll(() => goalsShown(page)).toEqual(["ask me first"]);
  await page.getByRole("link", { name: "Failures of 49" }).click();
  await expect.poll(() => goalsShown(page)).toEqual(["seeded plan 4950", "seeded plan 4900"]);
  await page.getByRole("searchbox", { name: "Search plans" }).fill("no plan at all");
  await page.getByRole("heading", { name: "No plan matches" }).waitFor();

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
