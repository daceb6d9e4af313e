// Without a key: rules that do honest work on real data. Every figure is computed here again, from the file.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { PlanView } from "@planwright/plan";
import type { TestSystem } from "@planwright/testkit";
import { expect, it } from "vitest";
import { offlineSystem } from "./support/shared-system.ts";

const Q4 = "Which region grew fastest in Q4 and what were its top products?";
const CSV = "examples/data/sales.csv";

const shared = offlineSystem();

async function ask(system: TestSystem, goal: string): Promise<PlanView> {
  const { planId } = await system.client.submit({ goal });
  return system.client.ended(planId);
}

it("answers a question about the sales table with the exact figures, sources, times and a trace", async () => {
  const view = await ask(shared.system, Q4);
  const { region, growth, products } = figuresOf(await readFile(CSV, "utf8"));
  expect(view).toMatchObject({ status: "succeeded", answer: { status: "success" } });
  expect(view.answer?.text).toContain(`${region} grew fastest`);
  expect(view.answer?.text).toContain(`+${growth}%`);
  for (const { name, revenue } of products.slice(0, 3))
    expect(view.answer?.text).toContain(`${name}, revenue ${revenue}`);
  expect(view.answer?.sources.length).toBeGreaterThan(0);
  expect(view.traceId).toMatch(/^[0-9a-f]{32}$/);
  for (const step of view.steps) {
    expect(step.tool).toBe("sql.query");
    expect(step.durationMs).toBeGreaterThan(0);
  }
});

it("answers otherwise when the table is another", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-sources-"));
  try {
    const changed = boost(await readFile(CSV, "utf8"), "North");
    await writeFile(path.join(folder, "sales.csv"), changed);
    const { region, growth } = figuresOf(changed);
    expect(region).toBe("North");
    await shared.system.reconfigure("gateway", { PLANWRIGHT_UPLOADS: folder });
    const view = await ask(shared.system, Q4);
    expect(view.answer?.text).toContain("North grew fastest");
    expect(view.answer?.text).toContain(`+${growth}%`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it("finds what documents contain, calculates, and reports what it cannot do", async () => {
  const [documents, sum, poem] = await Promise.all([
    ask(shared.system, "What is the warranty of tents?"),
    ask(shared.system, "What is 17 * 23 + 4?"),
    ask(shared.system, "Write a poem about the sea"),
  ]);
  expect(documents.answer?.text).toMatch(/warranty/i);
  expect(documents.answer?.text).toContain("returns-and-warranty.md");
  expect(sum.answer?.text).toContain("395");
  expect(poem.answer?.text).toMatch(/rules, not a language model/);
});

it.each([
  [
    "a word that no table and no document explains",
    "Total revenue for loyal customers",
    /does not understand “loyal”/,
  ],
  ["a goal that is about neither", "Plan a weekend trip to Rome", /built-in demo model only answers/],
  [
    "a goal that one call would answer",
    "Translate 'good morning' into French",
    /built-in demo model only answers/,
  ],
  ["a text that rules cannot write", "Draft an e-mail to my boss", /built-in demo model only answers/],
])("refuses %s in one round, without a revision", async (_, goal, text) => {
  const view = await ask(shared.system, goal);
  expect(view.answer).toMatchObject({ status: "unsupported_intent", text: expect.stringMatching(text) });
  expect(view.revision).toBe(0);
});

it.each(["/v1/plans", "/v1/plans/preview"])(
  "refuses the strategy code at %s: rules write no programs",
  async (route) => {
    const body = JSON.stringify({ goal: "Which tents are left?", strategy: "code", data: ["sales"] });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${shared.system.url}${route}`, { method: "POST", headers, body });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "model_needed", issues: [{ field: "strategy" }] });
  },
);

it("reviews plans, answers and the actions of a search, and states each time that it is rule-based", async () => {
  const { client } = shared.system;
  const goal = "What is the warranty of tents?";
  const [judged, searched] = await Promise.all(
    [
      { goal, review: { plan: true, steps: true, answer: true } },
      { goal, strategy: "tree-search" },
    ].map(async (body) => client.ended((await client.submit(body)).planId)),
  );
  const rules = expect.stringContaining("rules, not a language model");
  expect(judged).toMatchObject({
    status: "succeeded",
    planReviews: [{ verdict: "accepted", suggestion: rules }],
    answerReviews: [{ verdict: "accepted", suggestion: rules }],
  });
  expect(searched).toMatchObject({ status: "succeeded", strategy: "tree-search" });
  expect(searched?.search?.nodes).toContainEqual(expect.objectContaining({ reason: rules }));
});

type Row = ReadonlyMap<string, string>;

function rowsOf(csv: string): { header: string[]; rows: Row[] } {
  const [first = "", ...lines] = csv.trim().split(/\r?\n/);
  const header = first.split(",");
  return {
    header,
    rows: lines.map((line) => new Map(line.split(",").map((cell, index) => [header[index] ?? "", cell]))),
  };
}

/** The same table, with twice the revenue of one region in the last quarter. */
function boost(csv: string, region: string): string {
  const { header, rows } = rowsOf(csv);
  const lines = rows.map((row) => {
    const isBoosted = row.get("region") === region && quarterOf(row) === 4;
    return header
      .map((name) => (isBoosted && name === "revenue" ? String(Number(row.get(name)) * 2) : row.get(name)))
      .join(",");
  });
  return [header.join(","), ...lines].join("\n");
}

function figuresOf(csv: string) {
  const { rows } = rowsOf(csv);
  const sum = (keep: (row: Row) => boolean): number =>
    rows.filter(keep).reduce((total, row) => total + Number(row.get("revenue")), 0);
  const regions = [...new Set(rows.map((row) => row.get("region") ?? ""))].map((region) => {
    const of = (quarter: number) => sum((row) => row.get("region") === region && quarterOf(row) === quarter);
    return { region, percent: (100 * (of(4) - of(3))) / of(3) };
  });
  const fastest = regions.toSorted((left, right) => right.percent - left.percent)[0];
  const region = fastest?.region ?? "";
  const isHere = (row: Row): boolean => row.get("region") === region && quarterOf(row) === 4;
  const products = [...new Set(rows.filter(isHere).map((row) => row.get("product") ?? ""))]
    .map((name) => ({ name, total: sum((row) => isHere(row) && row.get("product") === name) }))
    .toSorted((left, right) => right.total - left.total)
    .map(({ name, total }) => ({ name, revenue: total.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",") }));
  return { region, growth: (fastest?.percent ?? 0).toFixed(1), products };
}

function quarterOf(row: Row): number {
  return Math.ceil(Number(row.get("order_date")?.slice(5, 7)) / 3);
}
