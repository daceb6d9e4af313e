// What people feel of the page: how much a first visit loads, and that what they see is what has happened, live.
import { wait } from "@planwright/testkit";
import type { Page, WebSocketRoute } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";

const stage = dashboardStage({ alone: ["gateway"] });

/** Compressed, as a browser of any age gets it. */
const VISIT_BYTES_MAX = 250 * 1024;
/** Smaller files are sent as they are. */
const COMPRESSED_BYTES_MIN = 1_024;

/** The files of a page that is opened for the first time: what came over the wire, and how; one of them is `awaited`. */
async function filesOfVisit(path: string, ready: (page: Page) => Promise<void>, awaited = "") {
  const tab = await stage.browser.open("about:blank", { extraHTTPHeaders: { "accept-encoding": "gzip" } });
  const loading: Promise<{ name: string; bytes: number; headers: Record<string, string> }>[] = [];
  const names: string[] = [];
  tab.page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/v1/")) return;
    names.push(pathname);
    const file = async () => ({
      name: pathname,
      bytes: (await response.request().sizes()).responseBodySize,
      headers: await response.allHeaders(),
    });
    loading.push(file());
  });
  await tab.page.goto(stage.system.url + path);
  await ready(tab.page);
  // What a worker loads is told later than what its result has drawn.
  await expect.poll(() => names.some((name) => name.includes(awaited))).toBe(true);
  return Promise.all(loading);
}

it("loads little at a first visit, compressed, and keeps what never changes", async () => {
  const { client } = stage.system;
  const { planId } = await client.submit({ goal: "wait", plan: { steps: [wait("a", 1)] } });
  await client.ended(planId);
  const visits = {
    start: await filesOfVisit("/", (page) => page.getByRole("textbox", { name: "Goal" }).waitFor()),
    plan: await filesOfVisit(
      `/plans/${planId}`,
      (page) => page.locator('[data-node="a"]').waitFor(),
      "layout.worker",
    ),
  };
  for (const [name, files] of Object.entries(visits)) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect([name, bytes < VISIT_BYTES_MAX]).toEqual([name, true]);
    const assets = files.filter((file) => file.name.startsWith("/assets/"));
    const forgotten = assets.filter(({ headers }) => !headers["cache-control"]?.includes("immutable"));
    expect(forgotten).toEqual([]);
    const asTheyAre = assets.filter(({ headers }) => headers["content-encoding"] !== "gzip");
    expect(asTheyAre.filter(({ bytes }) => bytes > COMPRESSED_BYTES_MIN)).toEqual([]);
    // The contract's schemas stay behind: the page has their types only.
    const scripts = assets.filter(({ name }) => name.endsWith(".js"));
    const texts = scripts.map(async (script) => [
      script.name,
      (await (await client.fetch(script.name)).text()).includes("ZodError"),
    ]);
    expect(await Promise.all(texts)).toEqual(scripts.map((script) => [script.name, false]));
  }
});

/** Steps in columns, each waiting for the one above it. */
function columns(steps: number, { wide, ms }: { wide: number; ms: number }) {
  return Array.from({ length: steps }, (_, index) =>
    wait(`s${index}`, ms + (index % 7), { dependsOn: index < wide ? [] : [`s${index - wide}`] }),
  );
}

/** The page's events as `seq type`, the oldest first. */
async function shownEvents(page: Page): Promise<string[]> {
  const rows = await page
    .getByTestId("event")
    .evaluateAll((elements) =>
      elements.map(
        (row) =>
          `${row.getAttribute("data-seq")} ${row.querySelector("[data-part=event-type]")?.textContent}`,
      ),
    );
  return rows.toReversed();
}

it("loses no event and shows none twice, whatever ends the connection, and reports that it is gone", async () => {
  const { system } = stage;
  const { client, url } = system;
  // It ends only when all of it has been done to the connections: nothing is live about a plan that has ended.
  const question = { id: "hold", tool: "human.ask", args: { question: "Is it over?" } };
  const { planId } = await client.submit({
    goal: "outlast everything",
    plan: { steps: [...columns(60, { wide: 4, ms: 400 }), question] },
  });
  const address = `${url}/plans/${planId}?tab=events`;
  const [first, second] = await Promise.all([stage.browser.open(address), stage.browser.open("about:blank")]);
  const sockets: WebSocketRoute[] = [];
  await second.page.routeWebSocket(/\/v1\/ws$/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await second.page.goto(address);
  const all = [first, second];
  for (const { page } of all) await page.locator('[data-connection="open"]').waitFor();

  await system.kill("gateway");
  for (const { page } of all) await page.locator('[data-connection="reconnecting"]').waitFor();
  await system.start("gateway");
  for (const { page } of all) await page.locator('[data-connection="open"]').waitFor();

  // The network is gone for one, and the other's connection ends as after a sleep.
  await first.context.setOffline(true);
  await sockets.at(-1)?.close();
  await second.page.locator('[data-connection="open"]').waitFor();
  await first.context.setOffline(false);

  const [approval] = (await client.view(planId)).approvals;
  if (approval === undefined) throw new Error("no question is open");
  await client.api.plans.approvals.answer(planId, approval.approvalId, "yes");
  const log: string[] = [];
  for await (const { seq, event } of client.events(planId)) log.push(`${seq} ${event.type}`);
  for (const { page } of all) {
    await page.locator('[data-part=plan-facts] [data-status="succeeded"]').waitFor();
    await expect.poll(() => shownEvents(page)).toEqual(log);
  }
});

it("follows a plan of 320 steps by changes of its view, and lets a reader find a step of it", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({
    goal: "many steps",
    plan: { steps: columns(320, { wide: 40, ms: 20 }) },
    approval: { plan: true },
  });
  const tab = await stage.browser.open("about:blank");
  const { page } = tab;
  const told = { whole: 0, changes: 0 };
  page.on("request", (request) => {
    if (request.url() === `${url}/v1/plans/${planId}`) told.whole += 1;
  });
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      if (payload.includes('"type":"changes"')) told.changes += 1;
      if (payload.includes('"type":"resync"')) told.whole += 1;
    });
  });
  // It runs only when a client watches, however slowly the page comes.
  await page.goto(`${url}/plans/${planId}`);
  await page.locator('[data-connection="open"]').waitFor();
  await page.getByTestId("approval").getByRole("button", { name: "Approve" }).click();
  // The graph moves up when the approval goes: a click at that moment would begin on a node and end beside it.
  await page.getByTestId("approval").waitFor({ state: "detached" });
  await page.locator("[data-node]").first().click();
  await page.getByRole("region", { name: "Steps in this group" }).waitFor();
  expect(await page.locator("[data-node]").count()).toBeLessThan(150);
  await page.getByText("320 of 320 steps succeeded").waitFor({ timeout: 90_000 });
  await page.locator('[data-part=plan-facts] [data-status="succeeded"]').waitFor();
  // It is read when it is opened, and given whole once more when it has changed since.
  expect(told.whole).toBeLessThanOrEqual(3);
  expect(told.changes).toBeGreaterThan(0);

  await page.getByRole("tab", { name: /^Steps/ }).click();
  await page.getByRole("searchbox", { name: "Search steps" }).fill("wait s319");
  await expect.poll(() => page.locator("[data-part=steps-table] tbody tr").count()).toBe(1);
  await page.getByRole("tabpanel").getByRole("button", { name: /^s319/ }).press("Enter");
  await page.getByTestId("step-output").waitFor();
  await page.goto(`${url}/plans/${planId}?tab=steps&step=s319`);
  await page.locator('tr[data-selected="true"]').getByText("s319").waitFor();
  const parts = page.getByRole("navigation", { name: /^\w+ pages$/ });
  await parts.getByText("151–320 of 320").waitFor();
  await parts.getByRole("button", { name: "First" }).click();
  await page.getByRole("tabpanel").getByRole("button", { name: /^s0\b/ }).waitFor();

  await page.goto(`${url}/plans/${planId}?tab=events`);
  await page.getByRole("searchbox", { name: "Search events" }).fill("s319 step.succeeded");
  await expect.poll(() => page.getByTestId("event").count()).toBe(1);
  const { steps } = await client.view(planId);
  expect(steps.every(({ status }) => status === "succeeded")).toBe(true);
  expectWellBehaved({ ...tab, misconduct: { ...tab.misconduct, foreign: [] } });
});

const HIDDEN = `Object.defineProperty(document, "visibilityState", { get: () => "hidden" })`;
/** A browser that may notify; it records what it shows. A browser without a window always refuses. */
const NOTIFIES = `
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = "granted";
    constructor(title, { body }) { super(); window.told.push(title + ": " + body); }
  };
  localStorage.setItem("planwright.notifications", "on");
`;

it("notifies once of a plan that needs approval, whichever of the hidden tabs does it, and not while a tab is visible", async () => {
  const { client, url } = stage.system;
  const { page, context } = await stage.browser.open("about:blank");
  await context.addInitScript(NOTIFIES);
  const hidden = [page, await context.newPage()];
  const heard = new Map(hidden.map((tab) => [tab, [] as string[]]));
  const isOfSecond = (frame: string) =>
    frame.includes("second question") && frame.includes('"needsApproval":true');
  for (const tab of hidden) {
    tab.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => heard.get(tab)?.push(String(payload)));
    });
    await tab.addInitScript(HIDDEN);
    await tab.goto(`${url}/tools`);
    await tab.locator('[data-connection="open"]').waitFor();
  }
  const told = async () => (await Promise.all(hidden.map((tab) => tab.evaluate<string[]>("told")))).flat();
  const ask = async (goal: string) => {
    await client.submit({ goal, approval: { risk: "low" }, plan: { steps: [wait("a", 1)] } });
  };
  await ask("first question");
  await expect.poll(told).toEqual(["Approval needed: first question"]);

  const visible = await context.newPage();
  await visible.goto(url);
  const locks = "navigator.locks.query().then(({ held }) => held.map(({ name }) => name))";
  await expect.poll(() => visible.evaluate(locks)).toContain("planwright.visible default");
  await expect.poll(() => visible.title()).toMatch(/^\(\d+\) Planwright$/);
  await ask("second question");
  // A hidden tab that hears of it after the visible tab has closed may notify.
  await expect.poll(() => hidden.every((tab) => heard.get(tab)?.some(isOfSecond))).toBe(true);
  for (const tab of hidden) await tab.evaluate(locks);
  await visible.close();
  await ask("third question");
  await expect.poll(told).toEqual(["Approval needed: first question", "Approval needed: third question"]);
  await hidden[1]?.close();
});
