// What only a browser can say of the page, on recorded plans: findings of axe, colours, the width of a phone, the focus by Tab and
// what is in view.
import type { Locator, Page } from "playwright-core";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { goTo } from "./support/go-to.ts";
import { picture, pictureTab } from "./support/picture.ts";
import { recordingsOf } from "./support/recorded-tab.ts";

const stage = dashboardStage();
const ended = await recordingsOf([
  "steps",
  "rewritten",
  "revised",
  "forked",
  "timed",
  "traced",
  "budgets",
  "graphs",
  "places",
  "searched",
  "programs",
]);
const live = await recordingsOf(["started"], { withActions: true });
const { plan } = ended;
const compared = ["origin", "fork"].map((name) => plan("forked", name).replace("/plans/", ""));

type Place = {
  readonly path: string;
  /** What is there once it has loaded. */
  readonly ready: (page: Page) => Locator;
  readonly before?: (page: Page) => Promise<void>;
  /** In both themes: the colours of this place are of no other. */
  readonly inDark?: boolean;
  readonly picture?: {
    readonly take: (page: Page) => Promise<void>;
    readonly heightPx: number;
    readonly shown: (page: Page) => Locator;
  };
};

const part = (title: string) => (page: Page) =>
  page
    .locator("details[data-part=step-section]")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .first();
const budget = (page: Page) => page.getByTestId("budget").locator("[data-part=budget-row]").first();

const PLACES: Readonly<Record<string, Place>> = {
  "model calls": { path: `${plan("steps", "steps")}?step=words`, ready: part("Model calls") },
  items: { path: `${plan("steps", "steps")}?step=each`, ready: part("Items") },
  turns: { path: `${plan("steps", "steps")}?step=loop`, ready: part("Turns") },
  "a sub-plan": { path: `${plan("steps", "steps")}?step=inner`, ready: part("Sub-plan") },
  "an effect": { path: `${plan("steps", "steps")}?step=send`, ready: part("Effects") },
  "one item": {
    path: `${plan("places", "places")}?tab=steps&step=each&item=55`,
    ready: (page) => page.getByRole("button", { name: "Copy the link to item 55" }),
  },
  "a long value": {
    path: `${plan("rewritten", "rewritten")}?step=a`,
    ready: part("Arguments"),
    before: (page) =>
      part("Arguments")(page).getByRole("button", { name: "Show all (5,000 characters)" }).click(),
  },
  facts: {
    path: `${plan("revised", "revised")}?tab=facts`,
    ready: (page) => page.getByText("Who owns them?").first(),
  },
  "found steps": {
    path: `${plan("graphs", "joined")}?find=wait`,
    ready: (page) => page.locator('[data-node][data-found="true"]').first(),
  },
  "a budget that is exceeded": {
    path: plan("budgets", "beyond"),
    ready: (page) => budget(page).and(page.locator('[data-state="beyond"]')),
    inDark: true,
  },
  "a budget that is used up": {
    path: plan("budgets", "asked"),
    ready: (page) => budget(page).and(page.locator('[data-state="exhausted"]')),
    inDark: true,
  },
  timeline: {
    path: `${plan("timed", "timed")}?tab=timeline`,
    ready: (page) => page.locator('[data-mark="ended"]'),
    picture: {
      take: (page) => picture(page, "timeline"),
      heightPx: 700,
      shown: (page) => page.locator("[data-part=timeline]"),
    },
  },
  trace: {
    path: `${plan("traced", "traced")}?tab=trace`,
    ready: (page) => page.getByRole("button", { name: /^Failed: 2/ }),
    picture: {
      take: (page) => picture(page, "trace"),
      heightPx: 820,
      shown: (page) => page.getByRole("treeitem").last(),
    },
  },
  "a search tree": {
    path: `${plan("searched", "searched")}?tab=tree`,
    ready: (page) => page.getByText("Evaluation"),
    picture: {
      take: (page) => picture(page, "search-tree"),
      heightPx: 980,
      shown: (page) => page.getByText("Evaluation"),
    },
  },
  programs: {
    path: `${plan("programs", "bought")}?tab=code`,
    ready: (page) => page.getByText("Rows before and after").first(),
    picture: {
      take: (page) => picture(page, "code-plan"),
      heightPx: 820,
      shown: (page) => page.getByText("Rows before and after").first(),
    },
  },
  calls: {
    path: `${plan("programs", "calls")}?tab=code`,
    ready: (page) => page.locator('[data-part=source-line][data-fault="true"]'),
  },
  comparison: {
    path: `/compare?left=${compared[0]}&right=${compared[1]}`,
    ready: (page) => page.getByText("1 step different, 2 the same."),
    before: async (page) => {
      await page.getByText("Output: different").click();
      await page.getByRole("button", { name: "Show 2 steps that are the same" }).click();
    },
    picture: {
      take: (page) => picture(page, "compare"),
      heightPx: 900,
      shown: (page) => page.getByRole("main"),
    },
  },
  "the choice of a plan": {
    path: `/compare?left=${compared[1]}`,
    ready: (page) => page.getByRole("list", { name: "Plans with the same goal" }).getByRole("button").first(),
  },
};

/** @param part - What axe checks, such as `main`; by default the whole page. */
async function faultsOf(page: Page, { inDark = false }: Place, part?: string): Promise<string[]> {
  const found = await axeFindings(page, { part });
  if (inDark) {
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    // Nothing else than contrast depends on the colours.
    found.push(...(await axeFindings(page, { part, rules: ["color-contrast"] })));
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  }
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: 360, height: 740 });
  const widths = await page.evaluate(
    "[document.documentElement, document.querySelector('[data-part=drawer]')].map((part) => part?.scrollWidth ?? 0)",
  );
  const wide = (widths as number[]).filter((px) => px > 360).map((px) => `${px} px wide on a phone`);
  await page.setViewportSize({ width, height });
  const hasRun = await page.evaluate("'pwned' in window");
  const hasTitle = (await page.title()).trim() !== "";
  return [...found, ...wide, ...(hasRun === true ? ["a script ran"] : []), ...(hasTitle ? [] : ["no title"])];
}

it("has no axe findings, runs no foreign script and fits a phone, whatever a plan shows", async () => {
  const tab = await stage.browser.open("about:blank", pictureTab());
  const { page, context } = tab;
  const { unknown } = await ended.play(context);
  await page.goto(`${stage.system.url}/nowhere`);
  const faults: Record<string, readonly string[]> = {};
  // The frame around all places, and the plan beside its steps, are the same: axe checks them once.
  let beside: string | undefined;
  for (const [name, place] of Object.entries(PLACES)) {
    await page.setViewportSize({ width: 1_040, height: place.picture?.heightPx ?? 700 });
    await goTo(page, place.path);
    await place.ready(page).waitFor();
    await place.before?.(page);
    if (place.picture !== undefined) {
      await place.picture.shown(page).scrollIntoViewIfNeeded();
      await place.picture.take(page);
    }
    const [around = ""] = place.path.split("?step=");
    const part = around === beside ? "[data-part=drawer]" : "main";
    const found = await faultsOf(page, place, beside === undefined ? undefined : part);
    beside = around;
    if (found.length > 0) faults[name] = found;
  }
  expect(faults).toEqual({});
  expect(unknown).toEqual([]);
  expect(tab.misconduct.errors).toEqual([]);
});

it("moves through the graph by arrow keys from one tab stop, and brings the node into view on a phone", async () => {
  const tab = await stage.browser.open("about:blank");
  const { page, context } = tab;
  await ended.play(context);
  await page.goto(stage.system.url + plan("graphs", "joined"));
  const node = (id: string) => page.locator(`[data-node="${id}"]`);
  const focused = () => page.evaluate("document.activeElement?.dataset.node");
  await node("tail9").waitFor();
  await page.getByRole("searchbox", { name: "Search steps" }).focus();
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("start");
  const walked: unknown[] = [];
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "Home", "End", "ArrowLeft"]) {
    await page.keyboard.press(key);
    walked.push(await focused());
  }
  expect(walked).toEqual(["b", "c", "c", "join", "start", "tail9", "join"]);
  expect(await page.locator('[data-node][tabindex="0"]').count()).toBe(1);

  await page.setViewportSize({ width: 360, height: 740 });
  const top = async (id: string) => (await node(id).boundingBox())?.y ?? 0;
  // On a phone the graph runs from top to bottom, once it is laid out again.
  await expect.poll(async () => (await top("b")) - (await top("start"))).toBeGreaterThan(20);
  await node("start").focus();
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toMatch(/^[abc]$/);
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("join");
  const place = async () => (await node("join").boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
  await expect.poll(async () => (await place()).x).toBeGreaterThanOrEqual(0);
  const { x, width } = await place();
  expect(x + width).toBeLessThanOrEqual(360);
  expect(tab.misconduct.errors).toEqual([]);
});

it("scrolls the drawer to the item and to the turn in the address, and zooms the timeline", async () => {
  const { page, context } = await stage.browser.open("about:blank");
  await ended.play(context);
  const drawer = page.getByTestId("step-drawer");
  const expectInView = (summary: Locator) =>
    expect
      .poll(async () => {
        const [inner, outer] = await Promise.all([
          summary.boundingBox(),
          drawer.locator("[data-part=drawer-body]").boundingBox(),
        ]);
        return inner !== null && outer !== null && inner.y >= outer.y && inner.y < outer.y + outer.height;
      })
      .toBe(true);
  for (const [kind, step] of [
    ["item", "each&item=55"],
    ["turn", "loop&turn=1"],
  ] as const) {
    await page.goto(`${stage.system.url}${plan("places", "places")}?tab=steps&step=${step}`);
    const opened = drawer.locator(`[data-testid="${kind}"]:has(> details[open])`).first();
    await opened.getByRole("heading").first().waitFor();
    await expectInView(opened.locator("summary").first());
  }

  await goTo(page, `${plan("timed", "timed")}?tab=timeline`);
  const scroller = page.locator("[data-part=timeline-scroller]");
  const widthOf = () => scroller.evaluate((element) => element.scrollWidth / element.clientWidth);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(widthOf).toBeGreaterThan(1.4);
  await page.getByRole("button", { name: "Fit" }).click();
  await expect.poll(widthOf).toBeLessThan(1.01);
});

it("reads a step's part of the trace when the step has changed, and never in between", async () => {
  const tab = await stage.browser.open("about:blank");
  const { page, context } = tab;
  const { asked } = await live.play(context);
  const reads = () => asked.filter((ask) => ask.endsWith("/trace")).length;
  await page.clock.install();
  await page.goto(`${stage.system.url}${live.plan("started", "started")}?step=long`);
  const drawer = page.getByTestId("step-drawer");
  await drawer.waitFor();
  await expect.poll(reads).toBe(1);
  // It looks for late spans after one second and after five, but not in the minute after.
  await page.clock.runFor(1_000);
  await expect.poll(reads).toBe(2);
  await page.clock.runFor(5_000);
  await expect.poll(reads).toBe(3);
  await page.clock.runFor(60_000);
  expect(reads()).toBe(3);

  await page.getByRole("button", { name: "More actions" }).press("Enter");
  await page.getByRole("button", { name: "Cancel plan" }).press("Enter");
  await page.getByRole("button", { name: "Yes, cancel" }).press("Enter");
  await drawer.getByText("cancelled").first().waitFor();
  await expect.poll(reads).toBeGreaterThan(3);
  expectWellBehaved({ ...tab, misconduct: { ...tab.misconduct, foreign: [] } });
});

it("requests nothing while no plan changes: neither the table of plans, nor the list beside other pages", async () => {
  const tab = await stage.browser.open("about:blank");
  const { page, context } = tab;
  const { asked } = await live.play(context);
  await page.clock.install();
  let pending = 0;
  page.on("request", () => (pending += 1));
  page.on("requestfinished", () => (pending -= 1));
  page.on("requestfailed", () => (pending -= 1));
  for (const [address, shown] of [
    ["/plans", "[data-part=plans-rows]"],
    ["/nowhere", "[data-part=plan-rows]"],
  ] as const) {
    const from = asked.length;
    await page.goto(`${stage.system.url}${address}`);
    await page.locator(shown).waitFor();
    // The list is read once more when its watch has begun, and its plans are counted some time after that.
    const lists = () => asked.slice(from).filter((one) => one.startsWith("GET /v1/plans?")).length;
    let quiet = 0;
    await expect
      .poll(async () => {
        const before = asked.length;
        await page.clock.runFor(10_000);
        await delay(100);
        quiet = lists() > 1 && pending === 0 && asked.length === before ? quiet + 1 : 0;
        return quiet;
      })
      .toBe(3);
    const before = asked.length;
    await page.clock.runFor(120_000);
    await delay(500);
    expect(asked.slice(before)).toEqual([]);
  }
});

it.each([
  ["of a few lines moves nothing below it", "forked", "fork", 1_440],
  ["of a few lines moves nothing below it on a phone", "forked", "fork", 390],
  ["that is longer is shown whole", "rewritten", "rewritten", 1_440],
])("an answer that arrives while its page is open, and %s", async (what, recording, name, width) => {
  const tab = await stage.browser.open("about:blank", { viewport: { width, height: 900 } });
  const { page, context } = tab;
  await ended.play(context);
  const { answer, endedAt: _end, reason: _why, ...view } = ended.view(recording, name);
  const { planId } = view;
  const reflecting = { ...view, seq: view.seq - 2, status: "reflecting", ended: false };
  await page.route(`**/v1/plans/${planId}`, (route) => route.fulfill({ json: reflecting }));
  const arrive = Promise.withResolvers<() => void>();
  await page.routeWebSocket(/\/v1\/ws$/, (socket) => {
    socket.onMessage((message) => {
      const { id, type } = JSON.parse(String(message)) as { readonly id: unknown; readonly type: unknown };
      socket.send(JSON.stringify({ type: "ok", id }));
      const plan = ended.view(recording, name);
      if (type === "watch")
        arrive.resolve(() => socket.send(JSON.stringify({ type: "resync", planId, plan })));
    });
  });
  await page.goto(`${stage.system.url}${plan(recording, name)}?tab=steps`);
  await page.getByText("Answer pending").waitFor();
  await page.locator("[data-part=steps-table]").waitFor();
  const places = () =>
    page
      .getByRole("tablist")
      .or(page.getByRole("heading", { name: "Answer" }))
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  const before = await places();
  (await arrive.promise)();
  await page
    .getByText((answer?.text ?? "").slice(0, 20))
    .first()
    .waitFor();
  await page.getByText("Rate this plan").waitFor();
  const [heading, ...below] = await places();
  expect(heading).toBe(before[0]);
  expect(below.every((top, index) => top === before[index + 1])).toBe(!what.includes("longer"));
  const card = page.locator("[data-reserved=true]");
  expect(await card.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
});

it("saves a step as a file", async () => {
  const { page, context } = await stage.browser.open("about:blank");
  await ended.play(context);
  await page.goto(`${stage.system.url}${plan("steps", "steps")}?step=words`);
  const saved = page.waitForEvent("download");
  await page.getByTestId("step-drawer").getByRole("button", { name: "Download JSON" }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.json$/);
});

it("opens the page of a link after an API key was entered, and in further tabs without asking for it again", async () => {
  const { page, context } = await stage.browser.open("about:blank");
  await ended.play(context);
  await context.route("**/v1/**", async (route) => {
    if (route.request().headers()["authorization"] === "Bearer right") return route.fallback();
    const problem = { title: "Unauthorized", status: 401, code: "unauthorized" };
    return route.fulfill({ status: 401, contentType: "application/problem+json", json: problem });
  });
  const link = `${stage.system.url}${plan("steps", "steps")}?tab=steps`;
  await page.goto(link);
  const enter = async (key: string) => {
    await page.getByLabel("API key", { exact: true }).fill(key);
    await page.getByRole("button", { name: "Continue" }).click();
  };
  await enter("wrong");
  await page.getByText("The gateway rejected this key.").waitFor();
  const waiting = await context.newPage();
  await waiting.goto(link);
  await waiting.getByRole("dialog", { name: "Enter your API key" }).waitFor();
  await enter("right");
  await page.locator("[data-part=steps-table]").waitFor();
  expect(page.url()).toBe(link);
  // A tab that already asks takes the key too.
  await waiting.locator("[data-part=steps-table]").waitFor();
  const next = await context.newPage();
  await next.goto(link);
  await next.locator("[data-part=steps-table]").waitFor();
  expect(await next.getByRole("dialog").count()).toBe(0);
  await Promise.all([waiting, next].map((tab) => tab.close()));
});
