import type { Page } from "playwright-core";

/**
 * Goes to a path of the page in the document that is there, as the browser's own Back and Forward do: loading the page,
 * and what a test has brought into it, takes longer than most of what is looked at.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"));`,
  );
}
