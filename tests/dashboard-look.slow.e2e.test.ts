// How the page looks and is reached, in every part: for every eye, on a phone, with hostile text in every
// field.
import { jetstream } from "@nats-io/jetstream";
import { connectNats } from "@planwright/shared/access";
import { wait } from "@planwright/testkit";
import { expect, it } from "vitest";
import { axeFindings } from "./support/axe-findings.ts";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { goTo } from "./support/go-to.ts";
import { HOSTILE_AND_ENDED, HOSTILE_AND_OPEN, HOSTILE_AND_SEARCHED } from "./support/hostile-plan.ts";
import { HOSTILE, speakHostile } from "./support/hostile-words.ts";
import { PHONE, walkThrough } from "./support/look-walk.ts";

const stage = dashboardStage();

type HostilePlans = { readonly ended: string; readonly open: string; readonly searched: string };

/** Plans with hostile text in every field: one has ended, one waits, one has searched; and a dead letter. */
async function hostilePlans(): Promise<HostilePlans> {
  const { client, nats } = stage.system;
  const { planId: searched } = await client.submit(HOSTILE_AND_SEARCHED);
  const { planId: open } = await client.submit(HOSTILE_AND_OPEN);
  const { planId: ended } = await client.submit(HOSTILE_AND_ENDED);
  const connection = await connectNats({ url: nats.url }, { name: "test" });
  await jetstream(connection).publish(`work.step.default.${ended}.a.0.9.0`, `{ ${HOSTILE}`);
  await connection.close();
  await Promise.all([ended, searched].map((planId) => client.ended(planId)));
  await client.fetch(`/v1/plans/${ended}/feedback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rating: 2, comment: HOSTILE }),
  });
  return { ended, open, searched };
}

it("is usable by everyone on a phone, in light and dark, with hostile text in every field", async () => {
  const { url } = stage.system;
  const plans = await hostilePlans();
  const tab = await stage.browser.open(url, PHONE);
  const { page } = tab;
  const words = page.locator("main").getByText("window.pwned=1").filter({ visible: true }).first();
  const { faults, look, visit } = walkThrough(page, () => words.waitFor());
  await page.getByText("Options", { exact: true }).click();
  await look("start");

  await speakHostile(tab.context);
  // Whatever was heard before is forgotten.
  await page.goto(`${url}/plans/${plans.open}`);
  await words.waitFor();
  await look("a plan that waits");
  await visit("/plans");
  await visit(`/plans/${plans.open}?tab=code`);
  await visit(`/plans/${plans.searched}?tab=tree`);
  await visit(`/compare?left=${plans.ended}&right=${plans.open}`);
  for (const step of ["file", "table"]) await visit(`/plans/${plans.ended}?step=${step}`);
  await visit(`/plans/${plans.ended}?seq=5`);
  await visit(`/plans/${plans.ended}`);
  const tabs = await page.getByRole("tab").evaluateAll((all) => all.map(({ id }) => id.replace("tab-", "")));
  expect(tabs).toEqual(expect.arrayContaining(["timeline", "steps", "facts", "revisions"]));
  for (const id of tabs.slice(1)) await visit(`/plans/${plans.ended}?tab=${id}`);
  for (const part of ["tools", "workers", "dead-letters", "approvals"]) await visit(`/${part}`);
  await goTo(page, "/metrics");
  await page.getByRole("heading", { name: "By strategy" }).waitFor();
  await look("metrics");
  await goTo(page, "/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await look("nowhere");

  await tab.context.unrouteAll({ behavior: "ignoreErrors" });
  await tab.context.close();
  expect(faults).toEqual({});
  expectWellBehaved(tab);
});

it("is light or dark as the system is, or as the user has chosen", async () => {
  const { url } = stage.system;
  const tab = await stage.browser.open(url, { colorScheme: "dark" });
  const { page } = tab;
  const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const dark = await ground();
  await page.getByRole("button", { name: "Theme: system" }).click();
  const light = await ground();
  expect(light).not.toBe(dark);
  await page.getByRole("button", { name: "Theme: light" }).click();
  expect(await ground()).toBe(dark);
  await page.emulateMedia({ colorScheme: "light" });
  await page.reload();
  await page.getByRole("button", { name: "Theme: dark" }).waitFor();
  expect(await ground()).toBe(dark);
  await page.getByRole("button", { name: "Theme: dark" }).click();
  expect(await ground()).toBe(light);
  expectWellBehaved(tab);
});

it("shows its shortcuts in a modal dialog that blocks them until Escape closes it", async () => {
  const { url } = stage.system;
  const tab = await stage.browser.open(url);
  const { page } = tab;
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.locator("main").focus();
  await page.keyboard.press("?");
  await help.getByText("New goal").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  for (const key of ["g", "t", "Escape"]) await page.keyboard.press(key);
  await help.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/");
  expectWellBehaved(tab);
});

it("finds plans, actions and docs in a palette that works by keyboard, on a phone and in both themes", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit({ goal: "palette plan", plan: { steps: [wait("a", 600_000)] } });
  const tab = await stage.browser.open(`${url}/workers`, PHONE);
  const { page } = tab;
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await page.getByRole("table").first().waitFor();
  expect(scripts.filter((path) => path.includes("palette"))).toEqual([]);
  // What is typed before it has loaded is neither lost nor taken for keys of the page.
  const arrived = Promise.withResolvers<void>();
  await page.route("**/assets/palette-dialog*.js", async (route) => {
    await arrived.promise;
    await route.continue();
  });
  const opener = page.getByRole("button", { name: "Search or run a command" });
  const palette = page.getByRole("dialog", { name: "Search" });
  const field = palette.getByRole("combobox");
  await opener.click();
  await page.keyboard.type("new");
  arrived.resolve();
  await palette.getByRole("listbox").waitFor();
  expect(await field.inputValue()).toBe("new");
  expect(page.url()).toBe(`${url}/workers`);
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  expect(await opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await opener.click();
  expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await palette.getByRole("option", { name: /^palette plan/ }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  expect(await opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);

  await page.keyboard.press("Control+k");
  await field.fill("palette pl");
  await palette.getByRole("option", { name: /^palette plan/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}/plans/${planId}`);
  await page.getByRole("button", { name: "More actions" }).waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("cancel plan");
  await palette.getByRole("option", { name: "Cancel plan", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.locator('[data-part=plan-facts] [data-status="cancelled"]').waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("budgets");
  expect(await palette.getByRole("option", { name: /^Budgets/ }).getAttribute("href")).toBe(
    "/docs/guide/budgets",
  );
  expectWellBehaved(tab);
});

it("reloads a module that did not arrive, and prompts for an API key when the gateway requires one", async () => {
  const { url } = stage.system;
  const { page, context } = await stage.browser.open("about:blank");
  // A module that did not arrive, as after an update of the gateway.
  await page.route("**/assets/workers-page*", (route) => route.abort());
  await page.goto(`${url}/workers`);
  await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor();
  await page.unroute("**/assets/workers-page*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table").waitFor();

  await page.route("**/v1/**", (route) => route.fulfill({ status: 401, json: {} }));
  await page.goto(url);
  await page.getByRole("dialog", { name: "Enter your API key" }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await context.close();
});
