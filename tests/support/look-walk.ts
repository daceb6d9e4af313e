/** A walk through the page's places that says what keeps one of them from being accessible. */
import type { Page } from "playwright-core";
import { axeFindings } from "./axe-findings.ts";
import { goTo } from "./go-to.ts";

export const PHONE = { viewport: { width: 360, height: 740 }, reducedMotion: "reduce" } as const;

export type Walk = {
  /** Where a user would be kept out, with the reasons; empty when there is no such place. */
  readonly faults: Readonly<Record<string, readonly string[]>>;
  /** Checks the current page, in light and in dark colours. */
  readonly look: (place: string) => Promise<void>;
  /** Goes to a path, waits for what is `seen` there, and looks. */
  readonly visit: (path: string) => Promise<void>;
};

/** In each document axe is loaded once, and checks the frame around the places at the first of them only. */
export function walkThrough(page: Page, seen: () => Promise<void>): Walk {
  const faults: Record<string, readonly string[]> = {};
  const look = async (place: string) => {
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    const part = (await page.evaluate("'axe' in window")) === true ? "main" : undefined;
    const found = [...(await faultsOf(page, part)), ...(await contrastInDark(page, part))];
    if (found.length > 0) faults[place] = found;
  };
  return {
    faults,
    look,
    async visit(path) {
      await goTo(page, path);
      await afterFrames(page);
      await seen();
      await look(path);
    },
  };
}

/** A document wider than a phone or without a title, text that ran, and the findings of axe. */
async function faultsOf(page: Page, part?: string): Promise<string[]> {
  const seen: unknown = await page.evaluate(
    "[document.documentElement.scrollWidth, 'pwned' in window, document.title]",
  );
  const [width, ran, title] = seen as [number, boolean, string];
  return [
    ...(width > PHONE.viewport.width ? [`${width} px wide`] : []),
    ...(ran ? ["a script ran"] : []),
    ...(title.trim() === "" ? ["no title"] : []),
    ...(await axeFindings(page, { part })),
  ];
}

/** Nothing else than contrast depends on the colours. */
async function contrastInDark(page: Page, part?: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  await afterFrames(page);
  const found = await axeFindings(page, { part, rules: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: "light" });
  return found.map((finding) => `in dark: ${finding}`);
}

/** Until what was just set is drawn. */
function afterFrames(page: Page): Promise<unknown> {
  return page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
