// What people feel of the page: how much a first visit loads, and that what they see is what has happened, live.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardStage, wait } from "./support/dashboard-stage.ts";

const stage = dashboardStage();

/** Compressed, as a browser of any age gets it. */
const VISIT_BYTES_MAX = 250 * 1024;
/** Smaller files are sent as they are. */
const COMPRESSED_BYTES_MIN = 1_024;

/** The files of a page that is opened for the first time: what came over the wire, and how. */
async function filesOfVisit(path: string, ready: (page: Page) => Promise<void>) {
  const tab = await stage.browser.open("about:blank", { extraHTTPHeaders: { "accept-encoding": "gzip" } });
  const loading: Promise<{ name: string; bytes: number; headers: Record<string, string> }>[] = [];
  tab.page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/v1/")) return;
    const file = async () => ({
      name: pathname,
      bytes: (await response.request().sizes()).responseBodySize,
      headers: await response.allHeaders(),
    });
    loading.push(file());
  });
  await tab.page.goto(stage.system.url + path);
  await ready(tab.page);
  return Promise.all(loading);
}

it("loads little at a first visit, compressed, and keeps what never changes", async () => {
  const { client } = stage.system;
  const { planId } = await client.submit({ goal: "wait", plan: { steps: [wait("a", 1)] } });
  await client.ended(planId);
  const visits = {
    start: await filesOfVisit("/", (page) => page.getByRole("textbox", { name: "Goal" }).waitFor()),
    plan: await filesOfVisit(`/plans/${planId}`, (page) => page.locator('.node[data-node="a"]').waitFor()),
  };
  for (const [name, files] of Object.entries(visits)) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect([name, bytes < VISIT_BYTES_MAX]).toEqual([name, true]);
    const assets = files.filter((file) => file.name.startsWith("/assets/"));
    const forgotten = assets.filter(({ headers }) => !headers["cache-control"]?.includes("immutable"));
    expect(forgotten).toEqual([]);
    const asTheyAre = assets.filter(({ headers }) => headers["content-encoding"] !== "gzip");
    expect(asTheyAre.filter(({ bytes }) => bytes > COMPRESSED_BYTES_MIN)).toEqual([]);
  }
  expect(visits.plan.some(({ name }) => name.includes("layout.worker"))).toBe(true);
});
