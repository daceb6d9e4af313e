// The metrics page: its requests, its content and its links.
import { Metrics } from "@planwright/api";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { figuresWith } from "./support/figures-with.ts";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { atTheEnd } from "./support/recording.ts";

const recording = atTheEnd(await recordingOf("edited"));
const MINUTE = (minute: number) => `2026-01-31T10:${String(minute).padStart(2, "0")}:00.000Z`;
const time = (ms: number | null) => ({ mean: ms, p50: ms, p90: ms, p95: ms, p99: ms });

const all = figuresWith({
  plans: 4,
  succeeded: 2,
  partial: 1,
  failed: 1,
  successRate: 0.5,
  timeToCompletionMs: time(1_500),
  tokens: { input: 900, output: 100, perPlan: 250 },
  cost: { usd: 0.5, plansUnknown: 1, perPlan: 0.125 },
});
const METRICS = Metrics.parse({
  from: MINUTE(0),
  to: MINUTE(3),
  all,
  byStrategy: [{ strategy: "parallel", ...all }],
  byTool: [
    {
      tool: "web.search",
      steps: 4,
      failed: 1,
      failureRate: 0.25,
      retries: 2,
      durationMs: { mean: 200, max: 900 },
    },
    {
      tool: "sql.query",
      steps: 9,
      failed: 0,
      failureRate: 0,
      retries: 0,
      durationMs: { mean: 300, max: 400 },
    },
  ],
  slowestSteps: [
    {
      planId: "p1",
      goal: "compare the vendors",
      stepId: "find",
      item: 2,
      tool: "web.search",
      durationMs: 900,
      failed: true,
    },
    {
      planId: "p2",
      goal: "chart the revenue",
      stepId: "sum",
      tool: "sql.query",
      durationMs: 400,
      failed: false,
    },
  ],
  previous: { ...figuresWith({ plans: 2, succeeded: 2, successRate: 1 }), from: MINUTE(0), to: MINUTE(0) },
  period: "minute",
  byPeriod: [
    {
      ...figuresWith({ plans: 3, succeeded: 2, failed: 1, successRate: 2 / 3 }),
      from: MINUTE(0),
      to: MINUTE(1),
    },
    { ...figuresWith({}), from: MINUTE(1), to: MINUTE(2) },
    { ...figuresWith({ plans: 1, partial: 1, successRate: 0 }), from: MINUTE(2), to: MINUTE(3) },
  ],
});

function openMetrics(address: string, body: object = METRICS) {
  const page = openPage("/nowhere", recording);
  page.gateway.answer(/^GET \/v1\/metrics/, { status: 200, body });
  page.goTo(address);
  const asked = () => page.gateway.asked.filter((ask) => ask.startsWith("GET /v1/metrics"));
  return { ...page, asked };
}

const tile = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement?.textContent;
const hrefOf = (link: Element | undefined | null) => {
  const href = link?.getAttribute("href") ?? "";
  return Object.fromEntries(new URL(href, "http://x").searchParams);
};

it("shows the last 7 days, each metric compared with the time before", async () => {
  const { asked } = openMetrics("/metrics");
  await screen.findByRole("heading", { name: "Metrics", level: 1 });
  await screen.findByText("Success rate", { selector: "dt" });
  expect(asked()).toEqual(["GET /v1/metrics?last=week&period=auto&compare=previous&slowest=10"]);
  expect(tile("Finished plans")).toBe("Finished plans4▲ +100% vs. the 7 days before");
  expect(tile("Success rate")).toBe("Success rate50%▼ −50 pp vs. the 7 days before");
  expect(tile("Time to completion, p50")).toContain("1.50 s");
  expect(tile("Cost")).toContain("without 1 plan of unknown cost");
  expect(tile("Tokens")).toContain("1,000");
});

it("links each bar, and each of its parts, to the plans behind it", async () => {
  openMetrics("/metrics?strategy=parallel", { ...METRICS, strategy: "parallel" });
  const chart = await screen.findByRole("group", { name: "Finished plans per minute (max 3)" });
  const ofMinute = {
    "list.endedSince": MINUTE(0),
    "list.endedBefore": MINUTE(1),
    "list.strategy": "parallel",
    "list.subPlans": "none",
  };
  const bars = within(chart).getAllByRole("link");
  // The keyboard reaches the two minutes with plans.
  expect(bars.filter((bar) => bar.getAttribute("tabindex") !== "-1")).toHaveLength(2);
  const [bar, succeeded, failed] = bars;
  expect(bar?.getAttribute("aria-label")).toMatch(/: Succeeded 2, Failed 1\. Show plans$/);
  expect(hrefOf(bar)).toEqual(ofMinute);
  expect(hrefOf(succeeded)).toEqual({ ...ofMinute, "list.outcome": "succeeded" });
  expect(hrefOf(failed)).toEqual({ ...ofMinute, "list.outcome": "failed" });
  const total = screen.getByRole("link", { name: "Partially succeeded 1" });
  expect(hrefOf(total)).toMatchObject({
    "list.endedSince": MINUTE(0),
    "list.endedBefore": MINUTE(3),
    "list.outcome": "partial",
  });
});

it("links the points of a period, also by keyboard, to the plans behind them", async () => {
  const { user } = openMetrics("/metrics");
  const chart = await screen.findByRole("group", { name: "Success rate by minute" });
  const points = within(chart).getAllByRole("link");
  // The minute without plans has no points.
  expect(points).toHaveLength(2);
  const [first] = points;
  expect(first?.getAttribute("aria-label")).toMatch(/: succeeded 66\.7%\. Show plans$/);
  expect(hrefOf(first)).toEqual({
    "list.endedSince": MINUTE(0),
    "list.endedBefore": MINUTE(1),
    "list.subPlans": "none",
  });
  const totals = screen.getByRole("link", { name: "Cancelled 0" });
  totals.focus();
  for (let tabs = 0; tabs < 20 && document.activeElement !== first; tabs++) await user.tab();
  expect(document.activeElement).toBe(first);
});

it("lists the slowest steps, each with a link to its place and to its plan", async () => {
  openMetrics("/metrics");
  const slowest = await screen.findByRole("region", { name: "Slowest steps" });
  const rows = within(slowest).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    "find item 2web.search900 msfailedcompare the vendors",
    "sumsql.query400 mschart the revenue",
  ]);
  const links = within(slowest).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/plans/p1?step=find&item=2",
    "/plans/p1",
    "/plans/p2?step=sum",
    "/plans/p2",
  ]);
});

it("opens the table of plans with the filters of a bar, which can be removed", async () => {
  const { user, gateway } = openMetrics("/metrics");
  gateway.answer(/^GET \/v1\/plans\?/, { status: 200, body: { plans: [] } });
  gateway.answer(/^GET \/v1\/plans\/counts/, { status: 200, body: { counts: [] } });
  const failing = await screen.findByRole("region", { name: "Top failing tools" });
  await user.click(within(failing).getByRole("link", { name: /^web\.search/ }));
  const filters = await screen.findByRole("list", { name: "Filters of finished plans" });
  expect(within(filters).getByText("With failed tool web.search")).toBeDefined();
  const asked = () => gateway.asked.filter((ask) => ask.startsWith("GET /v1/plans?")).at(-1) ?? "";
  await waitFor(() => expect(asked()).toContain("failedTool=web.search"));
  await user.click(
    within(filters).getByRole("button", { name: "Remove filter: With failed tool web.search" }),
  );
  await waitFor(() => expect(asked()).not.toContain("failedTool"));
  expect(asked()).toContain(`endedBefore=${encodeURIComponent(MINUTE(3))}`);
});

it("lists the failing tools, and the slowest first", async () => {
  openMetrics("/metrics");
  const failing = await screen.findByRole("region", { name: "Top failing tools" });
  expect(
    within(failing)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["web.search1 of 4 steps (25%)"]);
  const slowest = screen.getByRole("region", { name: "Slowest tools" });
  expect(
    within(slowest)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["sql.querymean 300 ms, max 400 ms", "web.searchmean 200 ms, max 900 ms"]);
});

it("keeps the time range, the interval and the strategy in the address", async () => {
  const { user, asked } = openMetrics("/metrics");
  await screen.findByText("Success rate", { selector: "dt" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Time range" }), "Last hour");
  await user.selectOptions(screen.getByRole("combobox", { name: "Interval" }), "10 minutes");
  await user.selectOptions(screen.getByRole("combobox", { name: "Strategy" }), "parallel");
  expect(location.search).toBe("?range=hour&period=ten-minutes&strategy=parallel");
  await waitFor(() =>
    expect(asked().at(-1)).toBe(
      "GET /v1/metrics?last=hour&period=ten-minutes&compare=previous&slowest=10&strategy=parallel",
    ),
  );
});

it("starts a custom range from the shown one, and requests nothing while it is empty", async () => {
  const { user, asked, goTo } = openMetrics("/metrics");
  await screen.findByText("Success rate", { selector: "dt" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Time range" }), "Custom");
  await waitFor(() => expect(asked().at(-1)).toContain(`to=${encodeURIComponent(MINUTE(3))}`));
  expect(asked().at(-1)).toContain(`from=${encodeURIComponent(MINUTE(0))}`);
  const before = asked().length;
  goTo(`/metrics?range=custom&from=${MINUTE(3)}&to=${MINUTE(3)}`);
  expect((await screen.findByRole("alert")).textContent).toBe("Enter a start that is before the end.");
  expect(asked()).toHaveLength(before);
});

it("saves the intervals and the tools as CSV", async () => {
  const { user } = openMetrics("/metrics");
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob);
    return "blob:x";
  });
  // The link would make the browser leave the page.
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await screen.findByText("Success rate", { selector: "dt" });
  await user.click(screen.getByRole("button", { name: "Export CSV" }));
  await user.click(screen.getByRole("button", { name: "Export tools as CSV" }));
  vi.restoreAllMocks();
  const [periods = "", tools = ""] = await Promise.all(saved.map((blob) => blob.text()));
  expect(periods.split("\r\n")).toHaveLength(5);
  expect(periods).toContain(`${MINUTE(2)},${MINUTE(3)},1,0,1,0,0,0,0`);
  expect(tools).toContain("web.search,4,1,0.25,2,200,900");
});

it("redirects from the page's old address, and reports a range without plans", async () => {
  openMetrics("/figures?strategy=code", { ...METRICS, all: figuresWith({}) });
  await screen.findByRole("heading", { name: "No finished plans in this time range" });
  expect(location.pathname + location.search).toBe("/metrics?strategy=code");
  expect(screen.getByRole("link", { name: "Metrics", current: "page" })).toBeDefined();
});
