// A plan of a thousand steps, hardly two of them alike, so that its graph draws each: every part of its page in a browser.
import { expect, it } from "vitest";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";

const stage = dashboardStage();

const STEPS = 1_000;

/** Each step waits for one shortly before it and one further back, by turns. */
function tangled() {
  return Array.from({ length: STEPS }, (_, index) => ({
    id: `s${index}`,
    tool: "flow.echo",
    description: `Say ${index}`,
    args: { value: index },
    dependsOn:
      index < 5
        ? []
        : [...new Set([index - 1 - ((index * 7) % 5), Math.max(0, index - 5 - ((index * 13) % 29))])].map(
            (before) => `s${before}`,
          ),
  }));
}

it("is drawn from far, searched, gone through by keys, listed, timed and opened step by step", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({ goal: "a thousand steps", plan: { steps: tangled() } });
  await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}`);
  const { page } = tab;
  const far = page.locator('[data-node][data-far="true"]');
  await expect.poll(() => far.count()).toBeGreaterThan(STEPS * 0.9);
  const sources = page.locator("[data-part=answer-source]");
  expect(await sources.count()).toBe(25);
  await page.getByRole("button", { name: /^Show all \d+$/ }).click();
  expect(await sources.count()).toBeGreaterThan(25);
  await page.getByRole("button", { name: "Show fewer" }).click();

  const found = page.getByRole("search").getByRole("status");
  await page.keyboard.press("f");
  await page.keyboard.type("s99");
  await found.getByText("11 of 1,000 steps").waitFor();
  await page.keyboard.press("Shift+Enter");
  const last = page.locator('[data-node="s999"][data-at="true"][data-far="false"]');
  await last.waitFor();
  // Read from near, only what is in view is drawn.
  await expect.poll(() => page.locator("[data-node]").count()).toBeLessThan(STEPS / 2);
  await page.keyboard.press("Enter");
  await page.locator('[data-node="s99"][data-at="true"]').waitFor();
  await page.locator('[data-node="s99"]').focus();
  for (const [key, id] of [
    ["End", "s999"],
    ["Home", "group:s0"],
  ]) {
    await page.keyboard.press(`${key}`);
    await expect.poll(() => page.evaluate("document.activeElement?.dataset.node")).toBe(id);
  }
  expect(await page.locator('[data-node][tabindex="0"]').count()).toBe(1);

  await page.getByRole("tab", { name: /^Steps/ }).click();
  await expect.poll(() => page.locator("[data-part=steps-table] tbody tr").count()).toBe(11);
  await page.keyboard.press("f");
  await page.keyboard.press("Escape");
  const parts = page.getByRole("navigation", { name: "Step pages", exact: true });
  await parts.getByText("1–150 of 1,000").waitFor();
  await parts.getByRole("button", { name: "Last" }).click();
  await parts.getByText("751–1,000 of 1,000").waitFor();
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.locator('[data-row="s0"]').press("End");
  await page.locator('[data-row="s999"]').waitFor();
  await page.goto(`${url}/plans/${planId}?step=s500`);
  await page.getByTestId("step-output").getByText("500", { exact: true }).waitFor();
  await page.getByTestId("step-drawer").getByRole("button", { name: "s499" }).click();
  await page.getByTestId("step-output").getByText("499", { exact: true }).waitFor();
  expectWellBehaved(tab);
});
