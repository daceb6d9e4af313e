/** What the pictures of the documents show: a plan as a shop could have it. */
import { wait } from "@planwright/testkit";

const query = (id: string, description: string, source: string, sql: string) => ({
  id,
  description,
  tool: "sql.query",
  args: { source, sql },
});

const search = (id: string, description: string, words: string) => ({
  id,
  description,
  tool: "docs.search",
  args: { query: words },
});

/** Runs until it is cancelled: two of its steps wait. */
export const RUNNING_REVIEW = {
  goal: "Review the fourth quarter against rivals and returns.",
  plan: {
    steps: [
      query(
        "sales",
        "Revenue of the quarter by product",
        "sales",
        "SELECT product, round(sum(revenue)) AS revenue FROM sales WHERE order_date >= '2025-10-01' GROUP BY product ORDER BY revenue DESC",
      ),
      query(
        "rivals",
        "Prices of the competitors",
        "competitors",
        "SELECT name, tent, jacket FROM competitors",
      ),
      search("returns", "What may be sent back", "returns and refunds"),
      wait("stock", 600_000, { description: "Wait for the warehouse's count" }),
      wait("audit", 600_000, { description: "Wait for the auditor's list" }),
      wait("compare", 1, { dependsOn: ["sales", "rivals"], description: "Compare prices and revenue" }),
      wait("report", 1, {
        dependsOn: ["compare", "returns", "stock", "audit"],
        description: "Write the review",
      }),
    ],
    answerFrom: "report",
  },
};

const price = (product: string, before: number, after: number) => ({
  table: "prices",
  op: "update",
  key: { product },
  before: { price: before },
  after: { price: after },
});

/** Waits for approval of the rows that it is about to change. */
export const CHANGES_TO_APPROVE = {
  goal: "Lower the prices that are above every competitor's.",
  plan: {
    steps: [
      query(
        "rivals",
        "Prices of the competitors",
        "competitors",
        "SELECT min(tent) AS tent, min(jacket) AS jacket FROM competitors",
      ),
      {
        id: "apply",
        description: "Change the prices",
        tool: "data.apply",
        args: {
          source: "shop",
          changes: [price("tent", 329, 299), price("jacket", 189, 179)],
          changeset: "",
          text: "Two prices are lowered.",
        },
        dependsOn: ["rivals"],
      },
    ],
    answerFrom: "apply",
  },
};
