import type { Page } from "playwright-core";
import { expect } from "vitest";

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
export async function goThroughStates(page: Page, url: string, { path, asks, ready }: Place): Promise<void> {
  const main = page.locator("main");
  const held = Promise.withResolvers<void>();
  const state = { failed: false, works: false };
  await page.route(asks, async (route) => {
    await held.promise;
    if (state.works) return route.continue();
    state.failed = true;
    return route.fulfill({ status: 500, contentType: "application/problem+json", json: FAILED });
  });
  await page.goto(`${url}${path}`);
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
