/** A pipeline over the sales table. The model writes queries, programs and words; every figure comes from the data. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const EXTRACT = `
  SELECT order_id, order_date, region, product, units, revenue
  FROM sales WHERE order_date >= '2025-07-01' AND order_date < '2026-01-01' ORDER BY order_id`;

const CLEAN = `
  const seen = new Set();
  const rows = input.rows.filter((row) => {
    const whole = row.region && row.product && row.units > 0 && row.revenue >= 0 && /^2025-\\d\\d-\\d\\d$/.test(row.order_date);
    if (!whole || seen.has(row.order_id)) return false;
    seen.add(row.order_id);
    return true;
  });
  return { rows, checked: input.rows.length, removed: input.rows.length - rows.length };`;

const METRICS = `
  // Whole cents: sums of them are exact.
  const cents = (row) => Math.round(row.revenue * 100);
  const sums = (rows, key) => {
    const all = new Map();
    for (const row of rows) all.set(key(row), (all.get(key(row)) ?? 0) + cents(row));
    return all;
  };
  const [q3, q4] = [input.rows.filter((row) => row.order_date < "2025-10-01"), input.rows.filter((row) => row.order_date >= "2025-10-01")];
  const [before, now] = [sums(q3, (row) => row.region), sums(q4, (row) => row.region)];
  const regions = [...now].map(([region, sum]) => ({
    region, q3: before.get(region) / 100, q4: sum / 100,
    growth: Math.round((1000 * (sum - before.get(region))) / before.get(region)) / 10,
  })).sort((a, b) => b.q4 - a.q4);
  const fastest = [...regions].sort((a, b) => b.growth - a.growth)[0];
  const products = [...sums(q4.filter((row) => row.region === fastest.region), (row) => row.product)]
    .map(([product, sum]) => ({ product, revenue: sum / 100 })).sort((a, b) => b.revenue - a.revenue).slice(0, 3);
  const months = [...sums(input.rows, (row) => row.order_date.slice(0, 7) + " " + row.region)]
    .map(([key, sum]) => ({ month: key.slice(0, 7), region: key.slice(8), revenue: sum / 100 }));
  return { regions, fastest, products, months };`;

const run = (id: string, description: string, code: string, input: object) => ({
  id,
  description,
  tool: "code.run",
  args: { language: "javascript", code, input },
});

const chart = (id: string, description: string, spec: object, rows: string) => ({
  id,
  description,
  tool: "chart.render",
  args: { name: id, spec, data: { $ref: rows } },
});

const revenue = { field: "revenue", type: "quantitative", title: "Revenue" };

const ANALYSIS = [
  {
    id: "extract",
    description: "Extract the sales of both quarters",
    tool: "sql.query",
    args: { source: "sales", sql: EXTRACT },
  },
  run("clean", "Clean and validate the rows", CLEAN, { rows: { $ref: "extract.output.rows" } }),
  run("metrics", "Revenue by region, growth, top products", METRICS, {
    rows: { $ref: "clean.output.result.rows" },
  }),
  chart(
    "trend",
    "Revenue of each month",
    {
      width: 480,
      mark: { type: "line", point: true },
      encoding: {
        x: { field: "month", type: "ordinal", title: null },
        y: revenue,
        color: { field: "region", type: "nominal" },
      },
    },
    "metrics.output.result.months",
  ),
  chart(
    "comparison",
    "Both quarters side by side",
    {
      width: 480,
      transform: [{ fold: ["q3", "q4"], as: ["quarter", "revenue"] }],
      mark: "bar",
      encoding: {
        x: { field: "region", type: "nominal", sort: "-y", title: null, axis: { labelAngle: 0 } },
        xOffset: { field: "quarter" },
        y: revenue,
        color: { field: "quarter", type: "nominal" },
      },
    },
    "metrics.output.result.regions",
  ),
  {
    id: "insights",
    description: "Write the insights",
    tool: "model.write",
    args: {
      prompt: "Write the insights in three sentences, with the figures.",
      context: {
        fastest: { $ref: "metrics.output.result.fastest" },
        products: { $ref: "metrics.output.result.products" },
        removed: { $ref: "clean.output.result.removed" },
      },
    },
  },
];

const DASHBOARD = {
  id: "dashboard",
  description: "Build the dashboard page",
  tool: "report.render",
  args: {
    path: "dashboard",
    title: "Sales in the fourth quarter",
    markdown:
      "{{insights.output.text}}\n\n## Regions\n\n```table regions\n```\n\n```chart comparison\n```\n\n" +
      "## Months\n\n```chart trend\n```\n\n## Top products of {{metrics.output.result.fastest.region}}\n\n```table products\n```\n",
    tables: [
      {
        name: "regions",
        rows: { $ref: "metrics.output.result.regions" },
        columns: { region: "Region", q3: "Q3", q4: "Q4", growth: "Growth in %" },
      },
      {
        name: "products",
        rows: { $ref: "metrics.output.result.products" },
        columns: { product: "Product", revenue: "Revenue in Q4" },
      },
    ],
    charts: [
      { file: { $ref: "comparison.output.path" }, caption: "Revenue of both quarters" },
      { file: { $ref: "trend.output.path" }, caption: "Revenue of each month" },
    ],
  },
};

/** @param site - Where dashboards are deployed. */
const planFor = (site: string) => ({
  reasoning:
    "Everything needs the cleaned rows; the charts do not need each other; nothing is deployed unseen.",
  steps: [
    ...ANALYSIS,
    DASHBOARD,
    {
      id: "page",
      description: "Read the page",
      tool: "files.read",
      args: { path: { $ref: "dashboard.output.html.path" } },
    },
    {
      id: "deploy",
      description: "Deploy the dashboard",
      tool: "http.send",
      args: {
        method: "PUT",
        url: `${site}q4`,
        checkUrl: `${site}check`,
        body: { page: { $ref: "page.output.content" } },
      },
    },
  ],
  answerFrom: "insights",
});

type Context = {
  readonly fastest: { readonly region: string; readonly q4: number; readonly growth: number };
  readonly products: readonly { readonly product: string; readonly revenue: number }[];
  readonly removed: number;
};

export const script: ModelScript = {
  plan: ({ user }) => planPieces(planFor(/http:\S+\//.exec(user)?.[0] ?? "")),
  write({ blocks }) {
    // The context is what the plan above asks for.
    const { fastest, products, removed } = JSON.parse(blocks.get("context") ?? "{}") as Context;
    const names = products.map((one) => `${one.product} (${one.revenue.toFixed(2)})`);
    return (
      `${fastest.region} grew fastest: ${fastest.growth}% to ${fastest.q4.toFixed(2)}. ` +
      `Its top products were ${names.join(", ")}. ${removed} orders were left out as faulty.`
    );
  },
};
