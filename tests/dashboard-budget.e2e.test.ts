// What a plan's budget says on its page, in each of its states.
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
const side = (count: number) => Array.from({ length: count }, (_, index) => wait(`s${index}`, 1));

type Case = {
  readonly steps: readonly object[];
  readonly budget: object;
  readonly state: string;
  readonly words: RegExp;
  readonly warning: string;
  readonly isLookedAt?: true;
};

const CASES: Readonly<Record<string, Case>> = {
  // What is under way counts as used, and is not expected twice.
  "near a limit": {
    steps: [...side(9), wait("slow", LONG_MS)],
    budget: { steps: 11 },
    state: "near",
    words: /^10 of 11, about 10 when it ends$/,
    warning: "Less than a tenth of the limit is left",
  },
  "expected over a limit": {
    steps: chain("a", "b", "slow", "d", "e"),
    budget: { steps: 3 },
    state: "beyond",
    words: /^3 of 3, about 5 when it ends$/,
    warning: "More than the limit is expected: then the plan ends with what it has",
    isLookedAt: true,
  },
  "at a limit, with a person asked": {
    steps: chain("a", "b"),
    budget: { steps: 1, onExhausted: "ask" },
    state: "exhausted",
    words: /^1 of 1, about 2 when it ends$/,
    warning: "The limit is reached: a person is asked for more",
    isLookedAt: true,
  },
  "ended by a limit": {
    steps: chain("a", "b"),
    budget: { steps: 1 },
    state: "exhausted",
    words: /^1 of 1$/,
    warning: "The limit was reached",
  },
};

it.each(Object.entries(CASES))("says so of a plan %s", async (name, { steps, budget, ...wanted }) => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({ goal: `a plan ${name}`, plan: { steps }, budget });
  const tab = await stage.browser.open(`${url}/plans/${planId}`);
  const { page } = tab;
  const row = rowOf(page);
  await expect.poll(() => row.locator("span.budget-words").textContent()).toMatch(wanted.words);
  await expect.poll(() => row.getAttribute("data-state")).toBe(wanted.state);
  expect(await row.locator(".budget-warning").allTextContents()).toEqual([wanted.warning]);
  expect(await page.getByRole("meter", { name: "Steps sent used" }).getAttribute("aria-valuetext")).toMatch(
    wanted.words,
  );
  // Each of the colours once, in both themes.
  const schemes = wanted.isLookedAt === true ? (["light", "dark"] as const) : [];
  for (const colorScheme of schemes) {
    // Colours that are on their way to others are no theme's.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 760 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expectWellBehaved(tab);
  await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
});

it("shows time going on while nothing else changes, and more when a person has given it", async () => {
  const { client, url } = stage.system;
  const plan = { steps: chain("a", "b") };
  const budget = { steps: 1, seconds: 3_600, onExhausted: "ask" };
  const { planId } = await client.submit({ goal: "wait for leave", plan, budget });
  const tab = await stage.browser.open(`${url}/plans/${planId}`);
  const { page } = tab;
  const time = page.getByRole("meter", { name: "Time used" });
  const steps = page.getByRole("meter", { name: "Steps sent used" });
  await page.getByText("The limit is reached: a person is asked for more").waitFor();
  const before = await time.getAttribute("aria-valuetext");
  await expect.poll(() => time.getAttribute("aria-valuetext")).not.toBe(before);

  await page.getByRole("button", { name: "Approve" }).click();
  expect(await client.ended(planId)).toMatchObject({ outcome: "succeeded" });
  await expect.poll(() => steps.getAttribute("aria-valuetext")).toBe("2 of 2");
  await expect.poll(() => rowOf(page).locator(".budget-warning").count()).toBe(0);
  expectWellBehaved(tab);
});
