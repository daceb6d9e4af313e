import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PlanView } from "@planwright/plan";
import { goTo } from "./go-to.ts";

export type Place = {
  readonly path: string;
  /** What it asks the gateway for, as a pattern of addresses. */
  readonly asks: string;
  /** Only there once it has loaded. */
  readonly ready: string;
};

const FAILED = { title: "It does not work today", status: 500, code: "internal", detail: "the disk is full" };

/**
 * Opens a place whose question to the gateway stays without an answer, then fails, then is answered: it says that it
 * loads, then what went wrong with a way on, and that way leads to what was asked for.
 */
export async function goThroughStates(page: Page, { path, asks, ready }: Place): Promise<void> {
  const main = page.locator("main");
  const held = Promise.withResolvers<void>();
  const state = { failed: false, works: false };
  await page.route(asks, async (route) => {
    await held.promise;
    if (state.works) return route.continue();
    state.failed = true;
    return route.fulfill({ status: 500, contentType: "application/problem+json", json: FAILED });
  });
  await goTo(page, path);
  await main
    .getByRole("status", { name: /^Loading/ })
    .first()
    .waitFor();
  held.resolve();
  const again = main.getByRole("button", { name: "Try again" }).first();
  await again.waitFor();
  await main.getByText("the disk is full").first().waitFor();
  expect(state.failed).toBe(true);
  state.works = true;
  // Some places ask again by themselves, and the button is gone before it is clicked.
  await expect
    .poll(async () => {
      await again.click({ timeout: 200 }).catch(() => undefined);
      return main.locator(ready).first().isVisible();
    })
    .toBe(true);
  expect(await main.getByText("the disk is full").count()).toBe(0);
  await page.unroute(asks);
}

/** The places that ask the gateway for something of their own; the plan is one that a person has edited. */
export function placesOf(planId: string): readonly Place[] {
  const plan = `/plans/${planId}`;
  const events = `**/v1${plan}/events*`;
  return [
    { path: "/tools", asks: "**/v1/tools*", ready: ".tool" },
    { path: "/workers", asks: "**/v1/workers*", ready: "table" },
    { path: "/dead-letters", asks: "**/v1/dead-letters*", ready: ".dead-letters, .notice" },
    { path: "/figures", asks: "**/v1/metrics*", ready: ".trend" },
    { path: "/approvals", asks: "**/v1/approvals*", ready: ".approval, .notice" },
    { path: "/compare", asks: "**/v1/plans?*", ready: ".chooser-plans li" },
    { path: `/compare?left=${planId}`, asks: `**/v1${plan}`, ready: "#chooser-title:has-text('with')" },
    { path: plan, asks: `**/v1${plan}`, ready: ".plan-goal" },
    { path: `${plan}?tab=timeline`, asks: events, ready: ".timeline-row" },
    { path: `${plan}?tab=revisions`, asks: events, ready: ".revision" },
    { path: `${plan}?tab=events`, asks: events, ready: "[data-testid=event]" },
    { path: `${plan}?tab=trace`, asks: `**/v1${plan}/trace*`, ready: "[data-testid=span]" },
  ];
}

/** What each tab says of a plan that has nothing for it but the tab itself. */
export const EMPTY_TABS = {
  timeline: "The log is too long for a timeline",
  tree: "Nothing tried yet",
  code: "No program here",
  facts: "No facts yet",
  events: "No events yet",
} as const;

/** The plan as the gateway would tell it when a search, a program and facts had begun, and nothing had come of them. */
export function begun(view: PlanView): unknown {
  const settings = { iterations: 1, width: 2, depth: 2, exploration: 1 };
  const root = { visits: 0, meanValue: 0 };
  return {
    ...view,
    search: { settings, phase: "expanding", rounds: [], root, nodes: [], bestPath: [] },
    steps: view.steps.map((step) => ({ ...step, tool: "data.apply" })),
    openQuestions: [{ question: "Which shop?", stepId: view.steps[0]?.id, at: view.submittedAt }],
  };
}
