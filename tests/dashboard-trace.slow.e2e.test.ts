// The trace of a plan on its page: the focus, and a very long one. Its spans are tested without a browser (packages/dashboard/test).
import { wait } from "@planwright/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { askedMetrics, grafanaDashboards } from "./support/grafana-dashboards.ts";

const stage = dashboardStage();

const MIXED = {
  goal: "Read two pages, one of which is not there, and say what they have in common",
  plan: {
    steps: [
      wait("first", 120),
      { id: "lost", tool: "http.fetch", args: { url: "http://127.0.0.1:9/x" } },
      { id: "said", tool: "model.write", args: { prompt: "Say it.", context: { $ref: "first.output" } } },
      {
        id: "apart",
        tool: "plan.run",
        args: { plan: { steps: [wait("inner", 30)], answerFrom: "inner" } },
      },
      wait("last", 60, { dependsOn: ["first"] }),
    ],
    answerFrom: "last",
  },
};

const spans = (page: Page) => page.getByRole("treeitem");
const named = (page: Page, name: string) => spans(page).filter({ hasText: name });

it("leaves the focus to its reader when the step that the address names comes late", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit(MIXED);
  await client.ended(planId);
  const { page } = await stage.browser.open("about:blank");
  const { promise: mayCome, resolve: come } = Promise.withResolvers<void>();
  await page.route("**/step-drawer-*.js", async (route) => {
    await mayCome;
    await route.continue();
  });
  await page.goto(`${url}/plans/${planId}?tab=trace&step=said`);
  const tree = page.getByRole("tree", { name: "Spans" });
  await tree.focus();
  come();
  await page.getByTestId("step-drawer").waitFor();
  await page.getByTestId("step-drawer").getByRole("heading").first().waitFor();
  expect(await tree.and(page.locator(":focus")).count()).toBe(1);
});

it("draws of hundreds of spans those in view, and stays within a phone", async () => {
  const { client, url } = stage.system;
  const { planId, traceId } = await client.submit({ goal: "many spans", plan: { steps: [wait("a", 1)] } });
  const { trace } = (await client.ended(planId)) as { trace?: { spanId: string } };
  const many = Array.from({ length: 400 }, (_, index) => ({
    traceId,
    spanId: (index + 1).toString(16).padStart(16, "0"),
    parentSpanId: trace?.spanId ?? "",
    name: `<b>span ${index}</b>`,
    kind: 1,
    startTimeUnixNano: `${Date.now() + index}000000`,
    endTimeUnixNano: `${Date.now() + index + 5}000000`,
    attributes: [],
    status: {},
  }));
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "x".repeat(200) } }] };
  const sent = await client.fetch("/otlp/v1/traces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: many }] }] }),
  });
  expect(await sent.json()).toEqual({});
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=trace`, {
    viewport: { width: 360, height: 700 },
  });
  const { page } = tab;
  await page.getByText(/^4\d\d spans in/).waitFor();
  const tree = page.getByRole("tree", { name: "Spans" });
  await tree.focus();
  await page.keyboard.press("End");
  await named(page, "<b>span 399</b>").waitFor();
  expect(await spans(page).count()).toBeLessThan(100);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expectWellBehaved(tab);
});

it("has the metrics that Grafana's dashboards query, with their labels", async () => {
  const { client } = stage.system;
  const { planId } = await client.submit(MIXED);
  await client.ended(planId);
  const metrics = async () => (await client.fetch("/metrics")).text();
  // The projection counts a plan a moment after it has ended.
  await expect.poll(metrics).toMatch(/^planwright_plans_ended_total\{.*outcome="succeeded"/m);
  // Reported by the caller, beside the log.
  await expect
    .poll(metrics)
    .toMatch(/^gen_ai_client_inference_usage_output_tokens_total\{.*gen_ai_agent_name="executor"/m);
  const lines = (await metrics()).split("\n");
  const asked = (await grafanaDashboards()).flatMap(askedMetrics);
  expect(asked.length).toBeGreaterThan(60);
  const unanswered = asked.filter(({ name, labels }) => {
    const series = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    // Prometheus adds the instance.
    const own = labels.filter((label) => label !== "instance");
    return !series.some((line) => own.every((label) => line.includes(`${label}="`)));
  });
  expect(unanswered).toEqual([]);
});
