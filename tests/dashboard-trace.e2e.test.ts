// The trace of a plan on its page: the waterfall, what a span says, how both are reached, and a very long one.
import { wait } from "@planwright/testkit";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { dashboardStage, expectWellBehaved } from "./support/dashboard-stage.ts";
import { askedMetrics, grafanaDashboards } from "./support/grafana-dashboards.ts";
import { picture, pictureTab } from "./support/picture.ts";

const TRACE_URL = "http://localhost:16686/trace/{traceId}";
const stage = dashboardStage({ services: { gateway: { TRACE_URL } } });

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

it("shows spans of all services, and everything that the failed one says", async () => {
  const { client, url } = stage.system;
  const { planId, traceId } = await client.submit(MIXED);
  await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=trace`, pictureTab("light", 820));
  const { page } = tab;
  for (const name of ["POST /v1/plans", "execute_tool model.write", "execute_tool http.fetch", "chat "])
    await named(page, name).first().waitFor();
  await expect.poll(() => named(page, "invoke_workflow planwright").count()).toBe(2);
  const [link] = await page.getByRole("link", { name: "Open in Jaeger" }).all();
  expect(await link?.getAttribute("href")).toBe(TRACE_URL.replace("{traceId}", traceId));

  const failed = page.getByRole("button", { name: /^Failed: 2/ });
  await failed.waitFor();
  await spans(page).last().scrollIntoViewIfNeeded();
  await picture(page, "trace");
  await failed.click();
  await page.getByText(/^2 of \d+ spans/).waitFor();
  await named(page, "execute_tool http.fetch").click();
  const details = page.getByRole("region", { name: "Span execute_tool http.fetch" });
  await details.getByText(/Failed: .*127\.0\.0\.1/).waitFor();
  await details.getByRole("row", { name: /step\.id lost/ }).waitFor();
  await details.getByText("Stack").click();
  expect(await details.getByLabel("Stack").textContent()).toContain("Error");
  // The address leads back to the span, and the span to its step.
  await page.reload();
  await details.waitFor();
  await details.getByRole("button", { name: "lost" }).click();
  await page.getByTestId("step-drawer").getByRole("heading").first().waitFor();
  expectWellBehaved(tab);
});

it("keeps the spans that it shows when reading them again fails", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit(MIXED);
  await client.ended(planId);
  const { page } = await stage.browser.open("about:blank");
  let failed = 0;
  let read = 0;
  await page.route("**/v1/plans/*/trace*", async (route) => {
    if (failed === 0 && read > 0) {
      failed += 1;
      await route.abort();
      return;
    }
    read += 1;
    await route.continue();
  });
  await page.goto(`${url}/plans/${planId}?tab=trace`);
  await page.getByRole("tree", { name: "Spans" }).focus();
  await expect.poll(() => failed).toBe(1);
  // It is read again soon, and whoever is in the middle of the tree stays there.
  await expect.poll(() => read).toBeGreaterThan(1);
  const focused = page.getByRole("tree", { name: "Spans" }).and(page.locator(":focus"));
  expect(await focused.count()).toBe(1);
});

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

it("is gone through by keyboard, and begins where a step is", async () => {
  const { client, url } = stage.system;
  const { planId } = await client.submit(MIXED);
  await client.ended(planId);
  const tab = await stage.browser.open(`${url}/plans/${planId}?tab=trace&step=said`);
  const { page } = tab;
  await named(page, "execute_tool model.write").waitFor();
  await named(page, "POST /v1/plans").waitFor();
  const tree = page.getByRole("tree", { name: "Spans" });
  const active = async () => {
    const id = await tree.getAttribute("aria-activedescendant");
    return (await page.locator(`[id="${id}"]`).textContent()) ?? "";
  };
  await expect.poll(active).toContain("execute_tool model.write");
  const all = await spans(page).count();
  await tree.focus();
  await page.keyboard.press("Home");
  await expect.poll(active).toContain("POST /v1/plans");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => spans(page).count()).toBe(1);
  expect(await spans(page).getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("ArrowRight");
  // Late spans may have come.
  await expect.poll(() => spans(page).count()).toBeGreaterThanOrEqual(all);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByTestId("span-details").waitFor();
  expect(new URL(page.url()).searchParams.get("span")).toMatch(/^[0-9a-f]{16}$/);
  await page.keyboard.press("Escape");
  await page.getByTestId("span-details").waitFor({ state: "detached" });
  // Escape closed the span, not the step.
  await page.getByTestId("step-drawer").waitFor();
  await page.getByRole("searchbox", { name: "Search spans" }).fill("nothing like this");
  await page.getByText("No span fits.").waitFor();
  expectWellBehaved(tab);
});

it("draws of thousands of spans those in view, and stays within a phone", async () => {
  const { client, url } = stage.system;
  const { planId, traceId } = await client.submit({ goal: "many spans", plan: { steps: [wait("a", 1)] } });
  const { trace } = (await client.ended(planId)) as { trace?: { spanId: string } };
  const many = Array.from({ length: 3_000 }, (_, index) => ({
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
  await page.getByText(/^3,0\d\d spans in/).waitFor();
  const tree = page.getByRole("tree", { name: "Spans" });
  await tree.focus();
  await page.keyboard.press("End");
  await named(page, "<b>span 2999</b>").waitFor();
  expect(await spans(page).count()).toBeLessThan(100);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expectWellBehaved(tab);
});

it("has the figures that Grafana's dashboards ask for, with their labels", async () => {
  const { client } = stage.system;
  const { planId } = await client.submit(MIXED);
  await client.ended(planId);
  const metrics = async () => (await client.fetch("/metrics")).text();
  // The projection counts a plan a moment after it has ended.
  await expect.poll(metrics).toMatch(/^planwright_plans_ended_total\{.*outcome="succeeded"/m);
  // Told by whoever called, beside the log.
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
