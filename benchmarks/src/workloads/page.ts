/** The page in a real browser: how soon it is usable, how soon an event is visible, and how smooth it is. */
import path from "node:path";
import { Planwright } from "@planwright/client";
import { buildDashboard } from "@planwright/launcher";
import type { BrowserContext, Page, Request } from "playwright-core";
import { launchChromium } from "../../../tests/support/open-browser.ts";
import { quantile } from "../measure/statistics.ts";
import { fluencyOf, forgetFrames, seenIn, type Seen, probe } from "../page/frames.ts";
import { columnsOfWaits, echoes, type PageBody } from "../page/plans.ts";
import { hearSuccesses } from "../page/hear-successes.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import type { MetricSpec, RunReading, Workload, WorkloadContext } from "./workload.ts";

const BUILD_MS = 120_000;
const RUN_MS_MAX = 300_000;
/** The number of events in about ten minutes, at five per second. */
const MEMORY_STEPS = 1_000;

const ms = (label: string, target?: number): MetricSpec => ({
  label,
  unit: "ms",
  better: "lower",
  ...(target === undefined ? {} : { target }),
});
/** The panel of a group of steps, by its name. */
const GROUP = "Steps in this group";
const count = (label: string, target?: number): MetricSpec => ({ ...ms(label, target), unit: "" });
const heard = (key: string, label: string): Record<string, MetricSpec> => ({
  [`${key}HeardP50Ms`]: ms(`${label}: from a success in the log to a bare client, p50`),
  [`${key}HeardP95Ms`]: ms(`${label}: from a success in the log to a bare client, p95`),
});
const busy = (key: string, label: string): Record<string, MetricSpec> => ({
  [`${key}SeenP50Ms`]: ms(`${label}: from a success in the log to the page, p50`),
  [`${key}SeenP95Ms`]: ms(`${label}: from a success in the log to the page, p95`, 100),
  ...heard(key, label),
  [`${key}GraphMs`]: ms(`${label}, running: from the navigation to the first nodes`),
  [`${key}InteractiveMs`]: ms(
    `${label}, running: from the navigation to the answer to a click on a node`,
    2_000,
  ),
  [`${key}FramesPerS`]: {
    label: `${label}: frame callbacks in a second`,
    unit: "1/s",
    better: "higher",
    target: 58,
  },
  [`${key}LongestGapMs`]: ms(`${label}: the longest time between two frames`),
  [`${key}LongTasks`]: count(`${label}: tasks longer than 50 ms`, 0),
});

export function pageWorkload(): Workload {
  return {
    name: "page",
    title: "the page in a browser: first load, facts seen in a quiet and in busy plans, frames, memory",
    warmUp: "one visit by another browser context, and a plan of 20 steps",
    metrics: {
      quietSeenP95Ms: ms("one step at a time: from a success in the log to the page, p95", 100),
      quietSeenP50Ms: ms("one step at a time: from a success in the log to the page, p50"),
      ...heard("quiet", "one step at a time"),
      coldUsableMs: ms("start page, nothing cached: from the navigation to the field for a goal", 1_000),
      warmUsableMs: ms("start page, cached: from the navigation to the field for a goal", 1_000),
      startKib: { ...count("start page: files loaded, KiB as sent", 250) },
      planKib: { ...count("plan page with its graph: files loaded, KiB as sent", 250) },
      ...busy("columns150", "150 steps"),
      ...busy("columns300", "300 steps"),
      heapAfterMib: { label: `heap of the page after ${MEMORY_STEPS} steps`, unit: "MiB", better: "lower" },
      heapFreshMib: {
        label: "heap of the page that is opened on the same plan then",
        unit: "MiB",
        better: "lower",
      },
    },
    floors: ["quietHeardP95Ms"],
    measure,
  };
}

async function* measure({ runs, say }: WorkloadContext): AsyncGenerator<RunReading> {
  const packageDir = path.resolve("packages/dashboard");
  await buildDashboard({ packageDir, signal: AbortSignal.timeout(BUILD_MS) });
  await using system = await startBenchSystem();
  await using browser = await launchChromium();
  const stage = { url: system.url, newContext: () => browser.newContext() };
  say("warming up");
  await firstLoad(stage);
  await untilEnded(stage.url, await submit(stage.url, echoes(20)));
  for (let run = 1; run <= runs; run += 1) {
    say(`run ${run} of ${runs}`);
    const load = await firstLoad(stage);
    const quiet = await watched(stage, { key: "quiet", body: columnsOfWaits(40, { columns: 1, ms: 60 }) });
    const middle = await watched(stage, {
      key: "columns150",
      body: columnsOfWaits(150, { columns: 30, ms: 900 }),
    });
    const large = await watched(stage, {
      key: "columns300",
      body: columnsOfWaits(300, { columns: 30, ms: 500 }),
    });
    const values = { ...load, ...(await memory(stage)), ...quiet.values, ...middle.values, ...large.values };
    yield { values, samples: { ...quiet.samples, ...middle.samples, ...large.samples } };
  }
}

type PageStage = { readonly url: string; readonly newContext: () => Promise<BrowserContext> };

async function firstLoad({ url, newContext }: PageStage): Promise<Record<string, number>> {
  await using context = await newContext();
  const cold = await visit(context, url);
  await cold.page.locator("textarea").first().waitFor();
  await cold.page.waitForLoadState("networkidle");
  const coldUsableMs = (await seenIn(cold.page)).firstMs["goal"] ?? Number.NaN;
  const startKib = (await cold.fileBytes()) / 1_024;
  const warm = await visit(context, url);
  await warm.page.locator("textarea").first().waitFor();
  const warmUsableMs = (await seenIn(warm.page)).firstMs["goal"] ?? Number.NaN;

  const planId = await submit(url, columnsOfWaits(3, { columns: 3, ms: 1 }));
  await untilEnded(url, planId);
  await using other = await newContext();
  const plan = await visit(other, `${url}/plans/${planId}`);
  await plan.page.locator("[data-node]").first().waitFor();
  await plan.page.waitForLoadState("networkidle");
  return { coldUsableMs, warmUsableMs, startKib, planKib: (await plan.fileBytes()) / 1_024 };
}

/** A plan whose page is opened while it runs, and watched to its end. */
async function watched(
  { url, newContext }: PageStage,
  { key, body }: { readonly key: string; readonly body: PageBody },
): Promise<Required<Pick<RunReading, "values" | "samples">>> {
  const planId = await submit(url, body);
  using ear = await hearSuccesses(url, planId);
  await using context = await newContext();
  const { page } = await visit(context, `${url}/plans/${planId}`);
  await page.locator("[data-node]").first().waitFor();
  // The graph follows the running steps, so no node is ever still enough to click by coordinates.
  await page.locator("[data-node]").first().dispatchEvent("click");
  await page.getByRole("region", { name: GROUP }).or(page.getByTestId("step-drawer")).first().waitFor();
  const interactiveMs = Number(await page.evaluate("performance.now()"));
  await forgetFrames(page);
  const steps = body.plan.steps.length;
  await page.getByText(`${steps} of ${steps} steps succeeded`).waitFor({ timeout: RUN_MS_MAX });
  const seen = await seenIn(page);
  const delays = delaysOf(await successesOf(url, planId), seen);
  const fluency = fluencyOf(seen);
  return {
    samples: { [`${key}SeenMs`]: delays, [`${key}HeardMs`]: [...ear.delaysMs] },
    values: {
      [`${key}HeardP50Ms`]: quantile(ear.delaysMs, 0.5),
      [`${key}HeardP95Ms`]: quantile(ear.delaysMs, 0.95),
      [`${key}SeenP50Ms`]: quantile(delays, 0.5),
      [`${key}SeenP95Ms`]: quantile(delays, 0.95),
      [`${key}GraphMs`]: seen.firstMs["graph"] ?? Number.NaN,
      [`${key}InteractiveMs`]: interactiveMs,
      [`${key}FramesPerS`]: fluency.framesPerS,
      [`${key}LongestGapMs`]: fluency.longestGapMs,
      [`${key}LongTasks`]: fluency.longTasks,
    },
  };
}

async function memory({ url, newContext }: PageStage): Promise<Record<string, number>> {
  const planId = await submit(url, echoes(MEMORY_STEPS));
  await using context = await newContext();
  const steps = MEMORY_STEPS.toLocaleString("en");
  const ended = `${steps} of ${steps} steps succeeded`;
  const { page } = await visit(context, `${url}/plans/${planId}`);
  await page.getByText(ended).waitFor({ timeout: RUN_MS_MAX });
  const heapAfterMib = await heapMibOf(page);
  await page.reload();
  await page.getByText(ended).waitFor();
  await page.locator("[data-node]").first().waitFor();
  return { heapAfterMib, heapFreshMib: await heapMibOf(page) };
}

async function submit(url: string, body: PageBody): Promise<string> {
  const { planId } = await new Planwright({ baseUrl: url }).plans.submit(body);
  return planId;
}

/** From the plan's event stream, which ends with the plan. */
async function untilEnded(url: string, planId: string): Promise<void> {
  const { plans } = new Planwright({ baseUrl: url });
  for await (const { event } of plans.events(planId)) if (event.type === "plan.ended") return;
}

/** Milliseconds since the epoch at which each step's success was written, in the log's order. */
export async function successesOf(url: string, planId: string): Promise<number[]> {
  const found: number[] = [];
  const { plans } = new Planwright({ baseUrl: url });
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await plans.eventPage(planId, { after });
    for (const { event } of page.events)
      if (event.type === "step.succeeded") found.push(Date.parse(event.at));
    after = page.nextAfter;
  }
  return found;
}

/**
 * From each success in the log to the first moment at which the page shows that many settled steps; ignores
 * successes from before the page was loaded.
 *
 * @throws {Error} When the page never showed that number.
 */
export function delaysOf(successes: readonly number[], { timeOriginMs, settled }: Seen): number[] {
  const [first] = settled;
  if (first === undefined) throw new Error("the page has shown no progress");
  const delays: number[] = [];
  for (const [index, writtenMs] of successes.entries()) {
    if (writtenMs < timeOriginMs + first[0]) continue;
    const shown = settled.find(([, count]) => count > index);
    if (shown === undefined) throw new Error(`the page never showed ${index + 1} settled steps`);
    delays.push(timeOriginMs + shown[0] - writtenMs);
  }
  return delays;
}

/** A visit to the page: how soon it is usable, and how much it loads. */
type Visit = {
  readonly page: Page;
  /** The bytes transferred so far, compressed as sent, without the data of plans. */
  readonly fileBytes: () => Promise<number>;
};

/** Opens a page that is recorded from its first moment. */
async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  const files: Request[] = [];
  page.on("requestfinished", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/v1/")) files.push(request);
  });
  await probe(page);
  await page.goto(url);
  return {
    page,
    fileBytes: async () => {
      const sizes = await Promise.all(files.map((request) => request.sizes()));
      return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    },
  };
}

/** The page's JavaScript heap in MiB, after garbage collection. */
async function heapMibOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1_048_576;
}
