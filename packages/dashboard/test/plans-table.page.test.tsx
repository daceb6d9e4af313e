// The table of plans: its content, its order, updates that the gateway pushes, and actions on its rows.
import type { PlanSummary } from "@planwright/api";
import { PlanId } from "@planwright/plan";
import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { atTheEnd } from "./support/recording.ts";

// Requests outside the table are answered as in any recording.
const recording = atTheEnd(await recordingOf("places"));

const plan = (number: number, more: Partial<PlanSummary> = {}): PlanSummary => ({
  planId: PlanId.parse(`p${number}`),
  goal: `goal ${number}`,
  status: "running",
  ended: false,
  strategy: "parallel",
  submittedAt: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
  tokens: 1_000 * number,
  costUsd: number / 100,
  submittedBy: "ann",
  progress: { done: 1, total: 2, percent: 50 },
  ...more,
});
const ended = (number: number) =>
  plan(number, { status: "failed", ended: true, outcome: "failed", durationMs: 1_500 });

// Wide enough for every column.
beforeAll(() => void vi.stubGlobal("innerWidth", 1_440));
afterAll(() => void vi.unstubAllGlobals());

type Lists = Readonly<Record<string, readonly PlanSummary[]>>;

/** Opens the table. @param lists - The plans of each query; other queries return none. */
function openTable(search: string, lists: Lists) {
  const page = openPage(`/plans${search}`, recording);
  page.gateway.answer(/^GET \/v1\/plans\/counts/, { status: 200, body: { counts: [] } });
  page.gateway.answer(/^GET \/v1\/plans\?/, { status: 200, body: { plans: [] } });
  for (const [query, plans] of Object.entries(lists)) show(page, query, plans);
  // The filter is that of the browser's last address.
  page.goTo(`/plans${search}`);
  return page;
}

type Page = ReturnType<typeof openPage>;

function show({ gateway }: Page, query: string, plans: readonly PlanSummary[]): void {
  gateway.answer(new RegExp(`^GET /v1/plans\\?${query}$`), { status: 200, body: { plans } });
}

const listsAsked = ({ gateway }: Page) =>
  gateway.asked.filter((ask) => /^GET \/v1\/plans(\?|\/counts)/.test(ask));
const rows = () => screen.getAllByRole("row").slice(1);
const goals = () => rows().map((row) => within(row).getByRole("link").textContent);
const row = (goal: string) => {
  const found = rows().find((one) => within(one).queryByRole("link", { name: goal }) !== null);
  if (found === undefined) throw new Error(`no row of ${goal}`);
  return found;
};
const box = (goal: string) => within(row(goal)).getByRole<HTMLInputElement>("checkbox");
const sortOf = (name: string) => screen.getByRole("columnheader", { name }).getAttribute("aria-sort");
const news = (changes: { plans?: PlanSummary[]; removed?: string[]; more?: boolean }) => ({
  type: "plans",
  plans: [],
  removed: [],
  more: false,
  ...changes,
});

it("shows each plan with its values, and links to its page", async () => {
  openTable("", { "limit=50": [plan(2), ended(1)] });
  await screen.findByRole("grid", { name: "Plans" });
  expect(goals()).toEqual(["goal 2", "goal 1"]);
  const text = row("goal 1").textContent;
  for (const value of ["Failed", "Parallel", "1.50 s", "1/2", "$0.01", "1,000", "ann"])
    expect(text).toContain(value);
  expect(screen.getByRole("grid").getAttribute("aria-rowcount")).toBe("3");
  expect(within(row("goal 2")).getByRole("link").getAttribute("href")).toBe("/plans/p2");
  expect(screen.getByRole("link", { name: "Plans", current: "page" })).toBeDefined();
  expect(sortOf("Submitted")).toBe("descending");
});

it("draws only the visible rows of any number of plans", async () => {
  openTable("", { "limit=50": Array.from({ length: 3_000 }, (_, index) => plan(3_000 - index)) });
  await screen.findByRole("grid");
  expect(rows().length).toBeLessThan(80);
  expect(screen.getByRole("grid").getAttribute("aria-rowcount")).toBe("3001");
});

it("requests the order from the gateway, and keeps it in the address", async () => {
  const page = openTable("", {
    "limit=50": [plan(2), plan(1)],
    "sort=cost&order=desc&limit=50": [plan(2), plan(9)],
    "sort=cost&order=asc&limit=50": [plan(9), plan(2)],
  });
  await screen.findByRole("grid");
  await page.user.click(screen.getByRole("button", { name: "Cost" }));
  await waitFor(() => expect(goals()).toEqual(["goal 2", "goal 9"]));
  expect([location.search, sortOf("Cost"), sortOf("Submitted")]).toEqual([
    "?sort=cost",
    "descending",
    "none",
  ]);
  // The table stays while it is sorted: the keyboard focus is where it was.
  await page.user.keyboard("{Enter}");
  await waitFor(() => expect(goals()).toEqual(["goal 9", "goal 2"]));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cost" }));
  expect([location.search, sortOf("Cost")]).toEqual(["?sort=cost&order=asc", "ascending"]);
});

it("requests plans with the address's filters and order", async () => {
  const page = openTable("?list.status=failed&list.q=x&sort=goal", {
    "q=x&status=failed&sort=goal&order=asc&limit=50": [ended(1)],
  });
  await screen.findByRole("grid");
  expect(goals()).toEqual(["goal 1"]);
  expect(sortOf("Goal")).toBe("ascending");
  expect(page.gateway.unknown).toEqual([]);
});

it("applies changes that the gateway pushes, and requests nothing while nothing changes", async () => {
  const page = openTable("", { "limit=50": [plan(2), plan(1)] });
  await screen.findByRole("grid");
  // The watch has begun: the list is read once more.
  await waitFor(() => expect(listsAsked(page).filter((ask) => ask.includes("?limit=50"))).toHaveLength(2));
  page.gateway.push(news({ plans: [ended(1)] }));
  await waitFor(() => expect(row("goal 1").textContent).toContain("Failed"));
  page.gateway.push(news({ removed: ["p2"] }));
  await waitFor(() => expect(goals()).toEqual(["goal 1"]));
  expect(listsAsked(page).filter((ask) => ask.includes("?limit=50"))).toHaveLength(2);

  show(page, "limit=50", [plan(3), ended(1)]);
  page.gateway.push(news({ plans: [plan(3)] }));
  await waitFor(() => expect(goals()).toEqual(["goal 3", "goal 1"]));
});

it("moves nothing in a sorted list, and offers to reload it", async () => {
  const query = "sort=tokens&order=desc&limit=50";
  const page = openTable("?sort=tokens", { [query]: [plan(2), plan(1)] });
  await screen.findByRole("grid");
  await waitFor(() => expect(page.gateway.asked.filter((ask) => ask.endsWith(query))).toHaveLength(2));
  page.gateway.push(news({ plans: [plan(1, { tokens: 9_000 }), plan(3)] }));
  await waitFor(() => expect(row("goal 1").textContent).toContain("9,000"));
  expect(goals()).toEqual(["goal 2", "goal 1"]);
  show(page, query, [plan(1, { tokens: 9_000 }), plan(3), plan(2)]);
  await page.user.click(await screen.findByRole("button", { name: "2 new or changed: refresh" }));
  await waitFor(() => expect(goals()).toEqual(["goal 1", "goal 3", "goal 2"]));
  expect(screen.queryByRole("button", { name: /new or changed/ })).toBeNull();
});

it("works by keyboard: moves, selects a range, selects all, clears, and opens", async () => {
  const page = openTable("", { "limit=50": [plan(4), plan(3), plan(2), plan(1)] });
  await screen.findByRole("grid");
  const selected = () =>
    rows()
      .filter((one) => one.getAttribute("aria-selected") === "true")
      .map((one) => within(one).getByRole("link").textContent);
  expect(rows().filter(({ tabIndex }) => tabIndex === 0)).toEqual([row("goal 4")]);
  row("goal 4").focus();
  await page.user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(row("goal 3"));
  await page.user.keyboard(" {Shift>}{ArrowDown}{/Shift}");
  expect(selected()).toEqual(["goal 3", "goal 2"]);
  await page.user.keyboard("{End} ");
  expect(selected()).toEqual(["goal 3", "goal 2", "goal 1"]);
  await page.user.keyboard("{Control>}a{/Control}");
  expect(selected()).toHaveLength(4);
  await page.user.keyboard("{Escape}");
  expect(selected()).toEqual([]);
  page.gateway.hold(/^GET \/v1\/plans\/p4/);
  await page.user.keyboard("{Home}{Enter}");
  expect(location.pathname).toBe("/plans/p4");
});

it("selects by click, a range with Shift, and all loaded plans", async () => {
  const page = openTable("", { "limit=50": [plan(4), plan(3), plan(2), plan(1)] });
  await screen.findByRole("grid");
  await page.user.click(box("goal 4"));
  await page.user.keyboard("{Shift>}");
  await page.user.click(box("goal 2"));
  await page.user.keyboard("{/Shift}");
  expect(screen.getByRole("group", { name: "Selected plans" }).textContent).toContain("3 plans selected");
  const all = screen.getByRole<HTMLInputElement>("checkbox", { name: "Select all loaded plans" });
  expect([all.checked, all.indeterminate]).toEqual([false, true]);
  await page.user.click(all);
  expect([box("goal 1").checked, all.checked]).toEqual([true, true]);
  await page.user.click(all);
  expect(screen.queryByRole("group", { name: "Selected plans" })).toBeNull();
});

it("cancels the unfinished selected plans after confirmation, and reports the outcome", async () => {
  const page = openTable("", { "limit=50": [plan(3), plan(2), ended(1)] });
  await screen.findByRole("grid");
  const cancelled = { status: 202, body: { planId: "p3", status: "cancelled" } };
  page.gateway.answer(/^POST \/v1\/plans\/p3\/cancel$/, cancelled);
  const refusal = { title: "Plan has ended", status: 409, code: "plan_ended", detail: "p2 has ended" };
  page.gateway.answer(/^POST \/v1\/plans\/p2\/cancel$/, {
    status: 409,
    type: "application/problem+json",
    body: refusal,
  });
  await page.user.click(screen.getByRole("checkbox", { name: "Select all loaded plans" }));
  await page.user.click(screen.getByRole("button", { name: "Cancel 2 plans" }));
  expect(page.gateway.asked.filter((ask) => ask.startsWith("POST"))).toEqual([]);
  await page.user.click(screen.getByRole("button", { name: "No" }));
  await page.user.click(screen.getByRole("button", { name: "Cancel 2 plans" }));
  await page.user.click(screen.getByRole("button", { name: "Yes, cancel 2 plans" }));
  await screen.findByText("1 plan cancelled. 1 failed: p2 has ended");
  expect(page.gateway.asked.filter((ask) => ask.startsWith("POST"))).toHaveLength(2);
});

it("re-runs finished plans, and retries the dead-lettered steps of the selected ones", async () => {
  const page = openTable("", { "limit=50": [plan(2), ended(1)] });
  await screen.findByRole("grid");
  page.gateway.answer(/^POST \/v1\/plans\/p1\/rerun$/, {
    status: 202,
    body: { planId: "p9", traceId: "a".repeat(32) },
  });
  const letter = { group: "g", planId: "p2", cause: "c", deliveries: 5, at: "2026-01-01T00:00:00Z" };
  const deadLetters = [
    { ...letter, id: "7", kind: "step" },
    { ...letter, id: "8", kind: "draft" },
  ];
  const none = { total: 0, groups: [], deadLetters: [] };
  page.gateway.answer(/^GET \/v1\/dead-letters\?planId=p1/, { status: 200, body: none });
  page.gateway.answer(/^GET \/v1\/dead-letters\?planId=p2/, { status: 200, body: { ...none, deadLetters } });
  page.gateway.answer(/^POST \/v1\/dead-letters\/7\/retry$/, {
    status: 202,
    body: { id: "7", planId: "p2", stepId: "a", attempt: 2 },
  });
  await page.user.click(screen.getByRole("checkbox", { name: "Select all loaded plans" }));
  await page.user.click(screen.getByRole("button", { name: "Re-run 1 plan" }));
  await page.user.click(screen.getByRole("button", { name: "Yes, re-run 1 plan" }));
  await screen.findByText("1 plan submitted again.");
  await page.user.click(screen.getByRole("button", { name: "Retry dead letters of 2 plans" }));
  await page.user.click(screen.getByRole("button", { name: "Yes, retry dead letters of 2 plans" }));
  await screen.findByText("2 plans checked, 1 step retried.");
  expect(page.gateway.asked.filter((ask) => ask.startsWith("POST"))).toEqual([
    "POST /v1/plans/p1/rerun",
    "POST /v1/dead-letters/7/retry",
  ]);
});

it("offers no action that the role does not permit", async () => {
  const page = openTable("", { "limit=50": [plan(2), ended(1)] });
  page.gateway.answer(/^GET \/v1\/me$/, {
    status: 200,
    body: { tenant: "t", role: "viewer", credential: "key", calls: ["listPlans"], decisions: [] },
  });
  await screen.findByTestId("account");
  await screen.findByRole("grid");
  await page.user.click(screen.getByRole("checkbox", { name: "Select all loaded plans" }));
  const bar = within(screen.getByRole("group", { name: "Selected plans" }));
  expect(bar.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "Export selected",
    "Clear selection",
  ]);
});

it("exports the selected plans, and all matching plans", async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return "blob:x";
  });
  // The link would make the browser leave the page.
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const page = openTable("", {
    "limit=50": [plan(2, { goal: "=1+1" }), ended(1)],
    "sort=started&order=desc&limit=200": [plan(2), ended(1)],
  });
  await screen.findByRole("grid");
  await page.user.click(screen.getByRole("button", { name: "Export" }));
  await page.user.click(screen.getByRole("button", { name: "JSON" }));
  await screen.findByText("Exported 2 plans.");
  expect(JSON.parse((await saved[0]?.text()) ?? "")).toEqual([plan(2), ended(1)]);
  await page.user.keyboard("{Escape}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Export" }));
  await page.user.click(box("=1+1"));
  await page.user.click(screen.getByRole("button", { name: "Export selected" }));
  await page.user.click(screen.getByRole("button", { name: "CSV" }));
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(await saved[1]?.text()).toMatch(/^planId,goal,.*\r\np2,'=1\+1,running,.*\r\n$/);
  vi.restoreAllMocks();
});

it("remembers the chosen columns", async () => {
  const lists = { "limit=50": [plan(1)] };
  const first = openTable("", lists);
  await screen.findByRole("grid");
  await first.user.click(screen.getByRole("button", { name: "Columns" }));
  await first.user.click(screen.getByRole("checkbox", { name: "Cost" }));
  expect(screen.queryByRole("columnheader", { name: "Cost" })).toBeNull();
  first.close();
  openTable("", lists);
  await screen.findByRole("grid");
  expect(screen.queryByRole("columnheader", { name: "Cost" })).toBeNull();
  expect(screen.getByRole("columnheader", { name: "Tokens" })).toBeDefined();
});

it("explains an empty table, and offers a next step", async () => {
  const page = openTable("", {});
  await screen.findByRole("heading", { name: "No plans yet" });
  expect(within(page.main()).getByRole("link", { name: "Submit a goal" }).getAttribute("href")).toBe("/");
});

it("clears filters without matches", async () => {
  const page = openTable("?list.status=failed&sort=cost", {
    "sort=cost&order=desc&limit=50": [plan(1)],
  });
  await screen.findByRole("heading", { name: "No matching plans" });
  await page.user.click(screen.getByRole("button", { name: "Clear filters" }));
  await screen.findByRole("grid");
  expect(location.search).toBe("?sort=cost");
});

it("shows why it cannot be loaded, and retries", async () => {
  const page = openTable("", {});
  const held = page.gateway.hold(/^GET \/v1\/plans\?/);
  held.fail();
  await screen.findByText("the disk is full");
  show(page, "limit=50", [plan(1)]);
  await page.user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("grid");
  expect(goals()).toEqual(["goal 1"]);
});
