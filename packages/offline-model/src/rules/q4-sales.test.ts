// The main question over the bundled table. The expected figures are computed here from the CSV's lines,
// independently of the SQL.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { runGoal } from "../testing/run-goal.ts";
import { loadSales } from "../testing/sales-data.ts";

const GOAL = "Which region grew fastest in Q4 and what were its top products?";
const FILE = new URL("../../../../examples/data/sales.csv", import.meta.url);

type Sale = { quarter: number; region: string; product: string; cents: number };

function salesOf(change: (line: string) => string): Sale[] {
  const lines = readFileSync(FILE, "utf8").trim().split("\n").slice(1).map(change);
  return lines.map((line) => {
    const [, date = "", region = "", product = "", ...rest] = line.split(",");
    const quarter = Math.ceil(Number(date.slice(5, 7)) / 3);
    return { quarter, region, product, cents: Math.round(Number(rest.at(-1)) * 100) };
  });
}

function sumBy(sales: readonly Sale[], key: "region" | "product"): Map<string, number> {
  const sums = new Map<string, number>();
  for (const sale of sales) sums.set(sale[key], (sums.get(sale[key]) ?? 0) + sale.cents);
  return sums;
}

function expected(change: (line: string) => string) {
  const sales = salesOf(change);
  const before = sumBy(
    sales.filter(({ quarter }) => quarter === 3),
    "region",
  );
  const after = sumBy(
    sales.filter(({ quarter }) => quarter === 4),
    "region",
  );
  const growth = [...after].map(([region, cents]) => ({
    region,
    cents,
    percent: (100 * (cents - (before.get(region) ?? 0))) / (before.get(region) ?? 0),
  }));
  const [winner] = growth.toSorted((a, b) => b.percent - a.percent);
  const products = sumBy(
    sales.filter(({ quarter, region }) => quarter === 4 && region === winner?.region),
    "product",
  );
  return { winner, products: [...products].toSorted((a, b) => b[1] - a[1]).slice(0, 5) };
}

const money = (cents: number) =>
  new Intl.NumberFormat("en-US", {
    maximumFractionDigits: 2,
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  }).format(cents / 100);

const Rows = z.object({ rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) });

const unchanged = (line: string) => line;
const northTripledInDecember = (line: string) => {
  if (!/,2025-12-\d\d,North,/.test(line)) return line;
  const cells = line.split(",");
  return [...cells.slice(0, -1), (Number(cells.at(-1)) * 3).toFixed(2)].join(",");
};

it.each([
  { name: "as it is", change: unchanged, region: "South" },
  { name: "with other revenue in one region", change: northTripledInDecember, region: "North" },
])("answers from the table $name: region, growth and products", async ({ change, region }) => {
  const { winner, products } = expected(change);
  expect(winner?.region).toBe(region);
  const { plan, answer, outputs } = await runGoal(GOAL, { data: loadSales(change) });

  expect(plan.steps.map(({ tool, dependsOn }) => ({ tool, dependsOn }))).toEqual([
    { tool: "sql.query", dependsOn: [] },
    { tool: "sql.query", dependsOn: ["s1"] },
  ]);
  const [first] = Rows.parse(outputs.get("s1")).rows;
  expect(first).toMatchObject({ region, earlier_period: "2025-Q3", period: "2025-Q4" });
  expect(first?.["revenue"]).toBe((winner?.cents ?? 0) / 100);
  expect(first?.["growth_percent"]).toBeCloseTo(winner?.percent ?? 0, 1);
  expect(Rows.parse(outputs.get("s2")).rows).toEqual(
    products.map(([product, cents]) => ({ region, product, revenue: cents / 100 })),
  );

  expect(answer).toMatchObject({ decision: "answer", status: "success", sources: ["s1", "s2"] });
  expect(answer.text).toContain(`${region} grew fastest`);
  expect(answer.text).toContain(`+${winner?.percent.toFixed(1)}%`);
  expect(answer.text).toContain(money(winner?.cents ?? 0));
  for (const [product, cents] of products)
    expect(answer.text).toContain(`${product}, revenue ${money(cents)}`);
  expect(answer.text).toContain("demo model: rules, not a language model");
  const data = { s1: Rows.parse(outputs.get("s1")).rows, s2: Rows.parse(outputs.get("s2")).rows };
  expect(JSON.parse(answer.dataJson ?? "")).toEqual(data);
});

it("requests the best of several regions in one query without dependencies", async () => {
  const { plan, outputs } = await runGoal(
    "What are the top 3 regions by units and their best selling products?",
    {
      data: loadSales(),
    },
  );
  expect(plan.steps.map(({ dependsOn }) => dependsOn)).toEqual([[], []]);
  const regions = Rows.parse(outputs.get("s1")).rows.map(({ region }) => String(region));
  const products = Rows.parse(outputs.get("s2")).rows;
  expect(products).toHaveLength(9);
  expect([...new Set(products.map(({ region }) => String(region)))].toSorted()).toEqual(regions.toSorted());
});
