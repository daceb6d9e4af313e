// Every folder of examples/, on the whole system as processes. What an example shows is what its test checks.
import { glob, readFile } from "node:fs/promises";
import { listExamples } from "@planwright/testkit";
import { expect, it } from "vitest";
import { endOf, exampleStage, startOf } from "./support/example-stage.ts";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem();
const { play, runToEnd } = exampleStage(shared);

it("has a test for every example", async () => {
  const sources: string[] = [];
  for await (const file of glob("tests/{,examples/}*.e2e.test.ts"))
    sources.push(await readFile(file, "utf8"));
  for (const name of await listExamples()) expect(sources.join("\n")).toContain(`play("${name}")`);
});

it("abc-pricing: searches run while the plan is being written, and compare waits for the slowest", async () => {
  const request = await play("abc-pricing");
  const { client } = shared.system;
  const { planId } = await client.submit(request);
  const seen: string[] = [];
  for await (const { event } of client.events(planId)) {
    seen.push("stepId" in event.data ? `${event.type} ${event.data.stepId}` : event.type);
    // The model has not written its last step, and does not before a search has ended.
    if (event.type === "step.succeeded") shared.model.release("last-step");
    if (event.type === "plan.ended") break;
  }
  const firstSearch = seen.findIndex((entry) => entry.startsWith("step.succeeded search"));
  expect(firstSearch).toBeGreaterThan(0);
  expect(firstSearch).toBeLessThan(seen.indexOf("plan.sealed"));
  const view = await client.view(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { status: "success", sources: ["report"] } });
  const lastSearch = Math.max(...["a", "b", "c"].map((vendor) => endOf(view, `search-${vendor}`)));
  expect(startOf(view, "compare")).toBeGreaterThanOrEqual(lastSearch);
});

it("acme-competitors: two models, and each prompt holds only what its step depends on", async () => {
  const request = await play("acme-competitors");
  const view = await runToEnd(request);
  expect(view.status).toBe("succeeded");
  expect(view.answer?.text).toContain("Highpeak pricing");
  expect(shared.model.calls("plan").map(({ model: name }) => name)).toEqual(["test-planner"]);
  expect(new Set(shared.model.calls("write").map(({ model: name }) => name))).toEqual(
    new Set(["test-executor"]),
  );
  const report = JSON.stringify(shared.model.calls("write").at(-1));
  expect(report).toContain("Comparison:");
  // The hits that the comparison was made of belong to another step.
  expect(report).not.toContain("snippet");
  const starts = ["competitors", "pricing", "comparison", "report"].map((id) => startOf(view, id));
  const ends = ["competitors", "pricing", "comparison", "report"].map((id) => endOf(view, id));
  for (const [index, start] of starts.slice(1).entries())
    expect(start).toBeGreaterThanOrEqual(ends[index] ?? 0);
});

it("dag: the three waits overlap, and the plan needs no model", async () => {
  const request = await play("dag");
  const view = await runToEnd(request);
  expect(view).toMatchObject({
    status: "succeeded",
    answerFrom: "last",
    answer: { data: [1, 2, 3] },
    usage: { modelCalls: 0 },
    progress: { done: 5, total: 5, percent: 100 },
  });
  const waits = ["a", "b", "c"];
  expect(Math.max(...waits.map((id) => startOf(view, id)))).toBeLessThan(
    Math.min(...waits.map((id) => endOf(view, id))),
  );
  expect(view.criticalPath.stepIds).toHaveLength(3);
  expect(view.criticalPath.stepIds.slice(1)).toEqual(["join", "last"]);
});

it("market-analysis: the synthesis waits for its inputs; as a direct goal it is one model call", async () => {
  const request = await play("market-analysis");
  const view = await runToEnd(request);
  expect(view.status).toBe("succeeded");
  expect(view.steps).toHaveLength(7);
  expect(view.steps.every(({ successCriteria }) => successCriteria !== undefined)).toBe(true);
  const inputs = ["trends", "comparison"].map((id) => endOf(view, id));
  expect(startOf(view, "synthesis")).toBeGreaterThanOrEqual(Math.max(...inputs));
  const before = shared.model.requests.entries.length;
  const { client } = shared.system;
  const { planId } = await client.submit({ ...request, strategy: "direct" });
  expect((await client.ended(planId)).status).toBe("succeeded");
  expect(shared.model.requests.entries.length - before).toBe(1);
});

it("q4-sales: the insights carry the exact figures of the file", async () => {
  const request = await play("q4-sales");
  const view = await runToEnd(request);
  expect(view).toMatchObject({ status: "succeeded", answer: { status: "success" } });
  const expected = await figuresOf("examples/data/sales.csv");
  expect(view.answer?.text).toContain(
    `${expected.fastest.region} grew fastest: ${expected.fastest.growth} %`,
  );
  for (const { product, revenue } of expected.products)
    expect(view.answer?.text).toContain(`${product} (${revenue})`);
  const chart = view.artifacts.find(({ contentType }) => contentType.includes("svg"));
  const response = await shared.system.client.fetch(
    `/v1/plans/${view.planId}/artifacts/${encodeURIComponent(chart?.name ?? "")}`,
  );
  expect(await response.text()).toContain("<svg");
});

it("top-frameworks: a failed step is reported and loses nothing else", async () => {
  const request = await play("top-frameworks");
  const view = await runToEnd(request);
  expect(view.steps.find(({ id }) => id === "downloads")).toMatchObject({ status: "failed" });
  expect(view.answer?.status).toBe("partial");
  for (const name of ["Django", "FastAPI", "Flask"]) expect(view.answer?.text).toContain(`| ${name} |`);
  expect(view.answer?.text).toContain("downloads");
});

/** The same figures, computed without any of the system: from the file's lines. */
async function figuresOf(file: string) {
  const [header = "", ...lines] = (await readFile(file, "utf8")).trim().split(/\r?\n/);
  const names = header.split(",");
  const rows = lines.map((line) => new Map(line.split(",").map((cell, index) => [names[index], cell])));
  const sum = (keep: (row: Map<string | undefined, string>) => boolean): number =>
    rows.filter(keep).reduce((total, row) => total + Number(row.get("revenue")), 0);
  const inQuarter = (row: Map<string | undefined, string>, quarter: number): boolean =>
    Math.ceil(Number(row.get("order_date")?.slice(5, 7)) / 3) === quarter;
  const regions = [...new Set(rows.map((row) => row.get("region") ?? ""))].map((region) => {
    const of = (quarter: number) => sum((row) => row.get("region") === region && inQuarter(row, quarter));
    return { region, growth: ((100 * (of(4) - of(3))) / of(3)).toFixed(1) };
  });
  const fastest = regions.toSorted((left, right) => Number(right.growth) - Number(left.growth))[0];
  if (fastest === undefined) throw new Error("no regions");
  const isHere = (row: Map<string | undefined, string>) =>
    row.get("region") === fastest.region && inQuarter(row, 4);
  const products = [...new Set(rows.map((row) => row.get("product") ?? ""))]
    .map((product) => ({ product, revenue: sum((row) => isHere(row) && row.get("product") === product) }))
    .toSorted((left, right) => right.revenue - left.revenue)
    .slice(0, 3)
    .map(({ product, revenue }) => ({ product, revenue: revenue.toFixed(2) }));
  return { fastest, products };
}
