// What people come to the dashboard for, in a real browser: each task takes as many clicks as docs/dashboard.md says.
import { readFile } from "node:fs/promises";
import { echo, wait } from "@planwright/testkit";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardStage } from "./support/dashboard-stage.ts";

const stage = dashboardStage();

const CLICKS_MAX = 2;

type Task = {
  /** Where it begins. */
  readonly from: string;
  readonly clicks: (page: Page) => readonly Locator[];
  /** Visible once it is done. */
  readonly done: (page: Page) => Locator;
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

it("does each common task with as many clicks as the docs state", async () => {
  const tasks = await tasksOn();
  const said = await saidInDocs();
  expect(Object.keys(tasks)).toEqual([...said.keys()]);
  const { page } = await stage.browser.open("about:blank");
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: stage.system.url });
  const needed: Record<string, number> = {};
  for (const [name, { from, clicks, done }] of Object.entries(tasks)) {
    await page.goto(`${stage.system.url}${from}`);
    const all = clicks(page);
    for (const one of all) await one.click();
    await done(page).first().waitFor();
    needed[name] = all.length;
  }
  expect(needed).toEqual(Object.fromEntries(said));
  expect(Math.max(...Object.values(needed))).toBeLessThanOrEqual(CLICKS_MAX);
});

async function tasksOn(): Promise<Record<string, Task>> {
  const { client } = stage.system;
  const plan = {
    steps: [echo("fast", { value: "the first output" }), wait("slow", 300, { dependsOn: ["fast"] })],
    answerFrom: "fast",
  };
  const { planId: ended } = await client.submit({ goal: "a task that ends", plan });
  await client.ended(ended);
  const broken = { id: "sum", tool: "math.evaluate", args: { expression: "1/" } };
  const { planId: failed } = await client.submit({ goal: "a task that fails", plan: { steps: [broken] } });
  expect((await client.ended(failed)).status).toBe("failed");
  const { planId: asking } = await client.submit({
    goal: "a task that asks",
    plan,
    approval: { plan: true },
  });
  await expect.poll(async () => (await client.view(asking)).approvals.length).toBe(1);
  const page = `/plans/${ended}`;
  const step = (on: Page) => on.locator('[data-node="fast"]');
  return {
    "See why a plan failed": {
      from: "/",
      clicks: (on) => [on.locator("[data-part=plan-row]", { hasText: "a task that fails" }).first()],
      done: (on) => on.locator("[data-part=plan-reason]"),
    },
    "Approve a step": {
      from: `/plans/${asking}`,
      clicks: (on) => [button(on, "Approve")],
      done: (on) => on.locator('[data-part=plan-facts] [data-status="succeeded"]'),
    },
    "Find the slowest step": {
      from: page,
      clicks: (on) => [on.getByRole("tab", { name: /^Steps/ }), button(on, "Took")],
      done: (on) => on.locator("[data-part=steps-table] tbody tr:first-child", { hasText: "slow" }),
    },
    "See what a step sent and got": {
      from: page,
      clicks: (on) => [step(on)],
      done: (on) => on.getByTestId("step-output").getByText("the first output"),
    },
    "Copy an output": {
      from: page,
      clicks: (on) => [step(on), button(on, "Copy output")],
      done: (on) => button(on, "Copied"),
    },
    "Run a plan again": {
      from: page,
      clicks: (on) => [button(on, "Run again")],
      done: (on) => on.getByText("Re-run of"),
    },
    "Run a plan again with edits": {
      from: page,
      clicks: (on) => [button(on, "More actions"), on.getByRole("link", { name: "Edit and run" })],
      done: (on) => on.getByRole("heading", { name: "Edit and run again" }),
    },
    "Share a plan": {
      from: page,
      clicks: (on) => [button(on, "More actions"), button(on, "Copy link")],
      done: (on) => on.getByRole("status").getByText("Copied"),
    },
    "Compare a plan with another one": {
      from: page,
      clicks: (on) => [button(on, "More actions"), on.getByRole("link", { name: "Compare with…" })],
      done: (on) => on.getByRole("heading", { name: /compare/i }),
    },
    "Find the plans that failed last week": {
      from: "/",
      clicks: (on) => [on.getByRole("link", { name: /^Failed this week/ })],
      done: (on) => on.locator("[data-part=plan-row]", { hasText: "a task that fails" }),
    },
  };
}

/** The clicks of each task, as the table in the docs has them. */
async function saidInDocs(): Promise<ReadonlyMap<string, number>> {
  const text = await readFile("docs/dashboard.md", "utf8");
  const [, section = ""] = text.split("\n## Common tasks\n");
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \|$/gm)];
  return new Map(rows.map(([, name = "", clicks]) => [name, Number(clicks)]));
}
