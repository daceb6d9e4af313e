// The pictures of the documents that need an empty list of plans, or are of nothing that another test opens.
import { expect, it } from "vitest";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { picture, pictureTab } from "./support/picture.ts";
import { CHANGES_TO_APPROVE, RUNNING_REVIEW } from "./support/review-plan.ts";

const stage = dashboardStage({ fresh: true });

it("is as the documents show it", async () => {
  const { client, url } = stage.system;
  const tab = await stage.browser.open(url, pictureTab("light", 820));
  const { page } = tab;
  await page.getByRole("heading", { name: "What would you like done?" }).waitFor();
  await page.getByRole("heading", { name: "No plans yet" }).waitFor();
  await picture(page, "start");
  await page.setViewportSize({ width: 1_040, height: 700 });

  const { planId: answered } = await client.submit({
    goal: "Which region grew fastest in Q4 and what were its top products?",
  });
  await client.ended(answered);
  await page.goto(`${url}/plans/${answered}`);
  await page.getByTestId("answer-text").waitFor();
  await picture(page, "answer");

  const { planId: running } = await client.submit(RUNNING_REVIEW);
  await page.setViewportSize({ width: 1_040, height: 860 });
  await page.goto(`${url}/plans/${running}`);
  for (const id of ["sales", "rivals", "returns", "compare"]) {
    await page.locator(`[data-node="${id}"][data-status="succeeded"]`).waitFor();
  }
  await page.locator("[data-part=plan-row][aria-current]").getByText("4/7").waitFor();
  await picture(page, "plan-running");

  const { planId: waiting } = await client.submit(CHANGES_TO_APPROVE);
  await page.goto(`${url}/plans/${waiting}`);
  await page.getByRole("table").getByText("329 → 299").waitFor();
  await page.locator('[data-node="apply"][data-status="awaiting-approval"]').waitFor();
  await picture(page, "approval");

  await page.setViewportSize({ width: 1_040, height: 520 });
  await page.goto(`${url}/workers`);
  await page.getByRole("table").waitFor();
  await picture(page, "workers");
  await page.setViewportSize({ width: 1_040, height: 700 });
  await page.goto(`${url}/metrics`);
  await page.getByRole("row", { name: /^Success rate/ }).waitFor();
  await picture(page, "metrics");
  expectWellBehaved(tab);

  const dark = await stage.browser.open(`${url}/plans/${running}`, pictureTab("dark", 815));
  await dark.page.locator('[data-node="compare"][data-status="succeeded"]').waitFor();
  await picture(dark.page, "plan-running-dark");
  expectWellBehaved(dark);
  await Promise.all(
    [running, waiting].map((planId) => client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" })),
  );
  expect((await client.ended(running)).status).toBe("cancelled");
});
