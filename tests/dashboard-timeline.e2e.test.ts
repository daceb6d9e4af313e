// The tab Timeline in a real browser: what it shows is held against the plan's log, whose facts say when what began.
import type { PlanEvent } from "@planwright/plan";
import { wait } from "@planwright/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { picture, pictureTab } from "./support/picture.ts";

const stage = dashboardStage();

const PLAN = {
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

function rowOf(page: Page, stepId: string): Locator {
  return page.locator(`.timeline-row[data-row="${stepId}"]`);
}

/** What a bar is split into, as `kind why ms`. */
async function shownSegments(
  page: Page,
  stepId: string,
): Promise<{ kind: string; why: string; ms: number }[]> {
  return rowOf(page, stepId)
    .locator(".time-segment")
    .evaluateAll((shapes) =>
      shapes.map((shape) => ({
        kind: shape.getAttribute("data-kind") ?? "",
        why: shape.getAttribute("data-why") ?? "",
        ms: Number(shape.getAttribute("data-ms")),
      })),
    );
}

function msOf(
  segments: readonly { kind: string; why: string; ms: number }[],
  kind: string,
  why = "",
): number[] {
  return segments.filter((one) => one.kind === kind && one.why === why).map(({ ms }) => ms);
}

/** How long the attempts of a step took, by what its worker has stored. */
function attemptsIn(log: readonly PlanEvent[], stepId: string): number[] {
  return log.flatMap((event) =>
    (event.type === "step.succeeded" || event.type === "step.failed") && event.data.stepId === stepId
      ? [Math.round(event.data.durationMs)]
      : [],
  );
}

function timeOf(log: readonly PlanEvent[], wanted: (event: PlanEvent) => boolean): number {
  const found = log.find(wanted);
  if (found === undefined) throw new Error("the log has no such fact");
  return Date.parse(found.at);
}

it("shows where each step's time went, as the log has it, live and to the end", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit(PLAN);
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=timeline`, pictureTab());
  const { page } = tab;

  const openWait = rowOf(page, "save").locator('[data-why="approval"][data-open="true"]');
  await openWait.waitFor();
  const before = Number(await openWait.getAttribute("data-ms"));
  await expect.poll(async () => Number(await openWait.getAttribute("data-ms"))).toBeGreaterThan(before);
  await page
    .getByRole("row", { name: /^save.*needs your approval: files\.write is of medium risk/ })
    .waitFor();
  const waits = page.getByRole("list", { name: "What this plan is waiting for" });
  await waits.getByText(/^Step save needs your approval/).waitFor();
  await client.api.plans.approvals.approve(planId, "risk-save-0");
  await client.ended(planId);
  await waits.waitFor({ state: "detached" });
  await page.locator('.timeline-mark[data-mark="ended"]').waitFor();

  const log: PlanEvent[] = [];
  for await (const { event } of client.events(planId)) log.push(event);
  for (const id of ["a", "b", "c", "slow", "save", "last"]) {
    const shown = msOf(await shownSegments(page, id), "tool");
    const stored = attemptsIn(log, id).filter((ms) => ms > 0);
    expect(shown.length, id).toBe(stored.length);
    for (const [index, ms] of stored.entries())
      expect(Math.abs((shown[index] ?? 0) - ms), id).toBeLessThan(3);
  }
  const [pause = 0] = msOf(await shownSegments(page, "slow"), "retry");
  const failedAt = timeOf(log, (event) => event.type === "step.failed" && event.data.stepId === "slow");
  const againAt = timeOf(
    log,
    (event) => event.type === "timer.fired" && event.data.timer.startsWith("retry-slow"),
  );
  expect(Math.abs(pause - (againAt - failedAt))).toBeLessThan(3);
  const [asked = 0] = msOf(await shownSegments(page, "save"), "wait", "approval");
  const readyAt = timeOf(log, (event) => event.type === "step.succeeded" && event.data.stepId === "a");
  const decidedAt = timeOf(log, ({ type }) => type === "approval.decided");
  expect(Math.abs(asked - (decidedAt - readyAt))).toBeLessThan(3);

  const view = await client.view(planId);
  const critical = await page
    .locator('.timeline-row[aria-label*="on the critical path"]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));
  expect(new Set(critical)).toEqual(new Set(view.criticalPath.stepIds));
  await page.locator(".timeline").evaluate((element) => element.scrollIntoView({ block: "center" }));
  await picture(page, "timeline");
  expect(await axeFindings(page)).toEqual([]);
  expectWellBehaved(tab);
});

it("shares its selection with the graph, zooms, and fits a phone", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({ ...PLAN, approval: { risk: "never" } });
  await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=timeline`);
  const { page } = tab;
  await rowOf(page, "c").click();
  await page.getByTestId("step-drawer").waitFor();
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.locator('.node[data-node="c"][aria-pressed="true"]').waitFor();
  await page.getByRole("tab", { name: "Timeline" }).click();
  await page.keyboard.press("Escape");

  const scroller = page.locator(".timeline-scroller");
  const widthOf = () => scroller.evaluate((element) => element.scrollWidth / element.clientWidth);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(widthOf).toBeGreaterThan(1.4);
  await page.getByRole("button", { name: "Fit" }).click();
  await expect.poll(widthOf).toBeLessThan(1.01);

  await page.setViewportSize({ width: 360, height: 740 });
  await rowOf(page, "last").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  expectWellBehaved(tab);
});
