// A plan's budget on its page: colours, size, and how it changes. Its other states are tested without a browser
// (packages/dashboard/test).
import { wait } from "@planwright/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";

const stage = dashboardStage();
const LONG_MS = 600_000;

const rowOf = (page: Page) => page.getByTestId("budget").locator(".budget-row");
const chain = (...ids: string[]) =>
  ids.map((id, index) =>
    wait(id, id === "slow" ? LONG_MS : 1, { dependsOn: ids.slice(Math.max(0, index - 1), index) }),
  );

/** Plans whose budgets have each of the colours once. */
const COLOURED = {
  beyond: { steps: chain("a", "b", "slow", "d", "e"), budget: { steps: 3 } },
  exhausted: { steps: chain("a", "b"), budget: { steps: 1, onExhausted: "ask" } },
};

it("has readable colours in both themes, and fits a phone", async () => {
  const { client, url } = stage.system;
  for (const [state, { steps, budget }] of Object.entries(COLOURED)) {
    const { planId } = await client.submit({ goal: `a plan ${state}`, plan: { steps }, budget });
    const tab = await stage.browser.open(`${url}/plans/${planId}`);
    const { page } = tab;
    await expect.poll(() => rowOf(page).getAttribute("data-state")).toBe(state);
    for (const colorScheme of ["light", "dark"] as const) {
      // Colours that are on their way to others are no theme's.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 760 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    expectWellBehaved(tab);
    await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
  }
});

it("shows time going on while nothing else changes, and more when a person has given it", async () => {
  const { client, url } = stage.system;
  const plan = { steps: chain("a", "b") };
  const budget = { steps: 1, seconds: 3_600, onExhausted: "ask" };
  const { planId } = await client.submit({ goal: "wait for leave", plan, budget });
  const tab = await stage.browser.open(`${url}/plans/${planId}`);
  const { page } = tab;
  const time = page.getByRole("meter", { name: "Time used" });
  const steps = page.getByRole("meter", { name: "Steps dispatched used" });
  await page.getByText("Limit reached: approval is requested to continue").waitFor();
  const before = await time.getAttribute("aria-valuetext");
  await expect.poll(() => time.getAttribute("aria-valuetext")).not.toBe(before);

  await page.getByRole("button", { name: "Approve" }).click();
  expect(await client.ended(planId)).toMatchObject({ outcome: "succeeded" });
  await expect.poll(() => steps.getAttribute("aria-valuetext")).toBe("2 of 2");
  await expect.poll(() => rowOf(page).locator(".budget-warning").count()).toBe(0);
  expectWellBehaved(tab);
});
