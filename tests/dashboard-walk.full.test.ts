// Every page at four widths and in both themes: a picture of each in .planwright/walk, and what a picture does not show.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { wait } from "@planwright/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage } from "./support/dashboard-stage.ts";
import { CHANGES_TO_APPROVE, RUNNING_REVIEW } from "./support/review-plan.ts";

const stage = dashboardStage({ fresh: true });

const WIDTHS = [390, 768, 1_440, 1_920] as const;
const THEMES = ["light", "dark"] as const;
const HEIGHT_PX = 900;
const HEADER_PX_MAX = 120;
/** Cumulative layout shift that counts as good. */
const SHIFT_MAX = 0.05;
const FOLDER = path.resolve(".planwright/walk");

/** Adds up how far what is shown moves by itself, without a reader's doing. */
const WATCH_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });
`;

it("is readable on every page, in every width and theme", async () => {
  const places = await placesWithPlans();
  await mkdir(FOLDER, { recursive: true });
  const faults: string[] = [];
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const { page, context } = await stage.browser.open("about:blank", {
        viewport: { width, height: HEIGHT_PX },
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      await page.addInitScript(WATCH_SHIFTS);
      for (const [name, place] of Object.entries(places)) {
        await page.goto(stage.system.url + place);
        await page.locator("main").getByRole("heading").first().waitFor();
        await page.locator(".skeleton, [aria-busy=true]").first().waitFor({ state: "detached" });
        await page.waitForLoadState("networkidle");
        await writeFile(path.join(FOLDER, `${name}-${width}-${theme}.png`), await page.screenshot());
        faults.push(
          ...(await faultsOf(page, width)).map((fault) => `${name}, ${width} px, ${theme}: ${fault}`),
        );
      }
      await context.close();
    }
  }
  expect(faults).toEqual([]);
});

async function placesWithPlans(): Promise<Readonly<Record<string, string>>> {
  const { client } = stage.system;
  const { planId: answered } = await client.submit({
    goal: "Which region grew fastest in Q4 and what were its top products?",
  });
  await client.ended(answered);
  const broken = { id: "sum", tool: "math.evaluate", args: { expression: "1/" } };
  const { planId: failed } = await client.submit({
    goal: "add up what cannot be added",
    plan: { steps: [broken] },
  });
  await client.ended(failed);
  const { planId: running } = await client.submit(RUNNING_REVIEW);
  const { planId: asking } = await client.submit(CHANGES_TO_APPROVE);
  const { planId: large } = await client.submit({
    goal: "Compare the revenue of all regions over eight quarters, and say which deserves the budget. ".repeat(
      4,
    ),
    plan: {
      steps: Array.from({ length: 40 }, (_, index) =>
        wait(`s${index}`, index < 25 ? 1 : 600_000, {
          dependsOn: index < 5 ? [] : [`s${index - 5}`],
          description: `Read region ${index % 5} of quarter ${Math.floor(index / 5)}`,
        }),
      ),
    },
  });
  await expect.poll(async () => (await client.view(asking)).approvals.length).toBe(1);
  const tabs = ["timeline", "steps", "trace", "events"].map((tab) => [
    `tab-${tab}`,
    `/plans/${running}?tab=${tab}`,
  ]);
  return {
    start: "/",
    plans: "/plans",
    answered: `/plans/${answered}`,
    ...Object.fromEntries(tabs),
    failed: `/plans/${failed}`,
    running: `/plans/${running}`,
    step: `/plans/${running}?step=sales`,
    asking: `/plans/${asking}`,
    large: `/plans/${large}?tab=graph`,
    collapsed: `/plans/${large}?tab=graph&collapse=1`,
    compare: `/compare?left=${answered}&right=${failed}`,
    approvals: "/approvals",
    tools: "/tools",
    workers: "/workers",
    "dead-letters": "/dead-letters",
    metrics: "/metrics",
    nowhere: "/no/such/page",
  };
}

async function faultsOf(page: Page, width: number): Promise<string[]> {
  const seen: unknown = await page.evaluate(
    "[document.documentElement.scrollWidth, window.shifted, document.querySelector('[data-part=plan-header]')?.getBoundingClientRect().height ?? 0]",
  );
  const [scrolled, shifted, header] = seen as [number, number, number];
  return [
    ...(scrolled > width ? [`${scrolled} px wide`] : []),
    ...(shifted > SHIFT_MAX ? [`shifts by ${shifted.toFixed(3)}`] : []),
    ...(width >= 1_440 && header > HEADER_PX_MAX ? [`a header of ${header} px`] : []),
    ...(await axeFindings(page)),
  ];
}
