import { expect, it } from "vitest";
import { loadTables } from "../../testing/load-table.ts";
import { runGoal } from "../../testing/run-goal.ts";

const data = loadTables("shop", {
  orders: {
    columns: ["order_no", "ordered_on", "product", "quantity", "price"],
    rows: [
      [1, "2025-01-04", "posters", 20, 60],
      [2, "2025-01-09", "posters", 5, 18],
      [3, "2025-02-01", "banners", 1, 90],
    ],
  },
  members: {
    columns: ["member_id", "name", "regular_member"],
    rows: [
      ["M1", "Ann Hill", "yes"],
      ["M2", "Bo Lund", "no"],
      ["M3", "Cy Moor", "yes"],
    ],
  },
});

it.each(["How many posters were ordered in January 2025?", "How many regular members are there?"])(
  "%s: rows are not counted for pieces, nor the two values of yes and no",
  async (goal) => {
    const { answer } = await runGoal(goal, { data, run: { "docs.search": () => ({ hits: [] }) } });
    expect(answer.status, answer.text).not.toBe("success");
  },
);

it("adds up the pieces sold", async () => {
  const { answer } = await runGoal("How many posters did we sell?", { data });
  expect(answer.text).toContain("quantity 25");
});

it.each(["How many orders of posters are there?", "How many poster orders are there?"])(
  "counts the rows that the goal names: %s",
  async (goal) => {
    const { answer } = await runGoal(goal, { data });
    expect(answer.text).toContain("order count 2");
  },
);
