/** A pipeline over the sales table. The model writes queries and words; every figure comes from the data. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const BY_QUARTER = `
  SELECT region,
    ROUND(SUM(CASE WHEN order_date < '2025-10-01' THEN revenue ELSE 0 END), 2) AS q3,
    ROUND(SUM(CASE WHEN order_date >= '2025-10-01' THEN revenue ELSE 0 END), 2) AS q4
  FROM sales WHERE order_date >= '2025-07-01' AND order_date < '2026-01-01' GROUP BY region`;

const plan = {
  reasoning: "Revenue and growth need the same rows; the top products depend on the fastest region.",
  steps: [
    {
      id: "revenue",
      description: "Revenue by region in the third and fourth quarter",
      tool: "sql.query",
      args: { source: "sales", sql: `${BY_QUARTER} ORDER BY q4 DESC` },
      successCriteria: "One row for each region",
    },
    {
      id: "growth",
      description: "Growth of each region over the third quarter",
      tool: "sql.query",
      args: {
        source: "sales",
        sql: `SELECT region, q3, q4, ROUND(100.0 * (q4 - q3) / q3, 1) AS growth_percent FROM (${BY_QUARTER}) ORDER BY growth_percent DESC`,
      },
    },
    {
      id: "products",
      description: "Top products of the fastest growing region",
      tool: "sql.query",
      args: {
        source: "sales",
        sql: "SELECT product, ROUND(SUM(revenue), 2) AS revenue FROM sales WHERE region = ? AND order_date >= '2025-10-01' GROUP BY product ORDER BY revenue DESC LIMIT 3",
        params: [{ $ref: "growth.output.rows[0].region" }],
      },
    },
    {
      id: "chart",
      description: "Bar chart of the revenue by region",
      tool: "chart.render",
      args: {
        name: "revenue-by-region",
        spec: {
          mark: "bar",
          encoding: {
            x: { field: "region", type: "nominal", sort: "-y" },
            y: { field: "q4", type: "quantitative", title: "Revenue in Q4" },
          },
        },
        data: { $ref: "revenue.output.rows" },
      },
    },
    {
      id: "insights",
      description: "Write the insights",
      tool: "model.write",
      args: {
        prompt: "Write the insights in three sentences, with the figures.",
        context: { growth: { $ref: "growth.output.rows" }, products: { $ref: "products.output.rows" } },
      },
      dependsOn: ["chart"],
    },
  ],
  answerFrom: "insights",
};

type Context = {
  readonly growth: readonly {
    readonly region: string;
    readonly q4: number;
    readonly growth_percent: number;
  }[];
  readonly products: readonly { readonly product: string; readonly revenue: number }[];
};

export const script: ModelScript = {
  plan: () => planPieces(plan),
  write({ blocks }) {
    // The context is what the plan above asks for.
    const { growth, products } = JSON.parse(blocks.get("context") ?? "{}") as Context;
    const [fastest] = growth;
    const names = products.map(({ product, revenue }) => `${product} (${revenue.toFixed(2)})`);
    return `${fastest?.region} grew fastest: ${fastest?.growth_percent} % to ${fastest?.q4.toFixed(2)}. Its top products were ${names.join(", ")}.`;
  },
};
