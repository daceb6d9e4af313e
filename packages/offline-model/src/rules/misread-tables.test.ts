// Questions about tables with words that look like a column or a row but mean something else.
import { expect, it } from "vitest";
import { loadTables } from "../testing/load-table.ts";
import { runGoal } from "../testing/run-goal.ts";

const data = loadTables("clinic", {
  visits: {
    columns: ["visit_id", "visit_date", "vet", "reason", "fee"],
    rows: [
      ["V1", "2025-01-04", "Dr Tanaka", "dental", 40],
      ["V2", "2025-01-09", "Dr Tanaka", "check-up", 60],
      ["V3", "2025-02-01", "Dr Brennan", "dental", 90],
    ],
  },
  repairs: {
    columns: ["repair_id", "job", "bike_type", "tutor", "parts_cost", "total_price"],
    rows: [
      ["R1", "wheel truing", "road", "Ann Hill", 20, 45],
      ["R2", "wheel truing", "hybrid", "Bo Lund", 90, 145],
      ["R3", "wheel truing", "hybrid", "Bo Lund", 10, 25],
    ],
  },
  placements: {
    columns: ["placement_id", "job_title", "hourly_pay", "start_date"],
    rows: [
      ["P1", "Chef", 18, "2025-01-04"],
      ["P2", "Chef", 16, "2025-02-01"],
      ["P3", "Clerk", 14, "2025-02-09"],
    ],
  },
  boats: {
    columns: ["boat_id", "boat_name", "insurance_expires"],
    rows: [
      ["B1", "Sea Holly", "2025-02-11"],
      ["B2", "Puffin", null],
    ],
  },
  orders: {
    columns: ["order_no", "ordered", "shipped", "copies"],
    rows: [
      ["B1", "2025-01-04", "2025-01-05", 4],
      ["B2", "2025-02-04", null, 8],
      ["B3", "2025-02-04", null, 9],
    ],
  },
  volunteers: {
    columns: ["volunteer_id", "full_name", "days_worked"],
    rows: [
      ["V1", "Ann Hill", 4],
      ["V2", "Bo Lund", 8],
    ],
  },
  machines: {
    columns: ["asset_no", "machine_type", "status", "order_total"],
    rows: [
      ["A1", "Espresso Machine", "on loan", 40],
      ["A2", "Grinder", "on loan", 60],
      ["A3", "Roaster", "sold", 90],
    ],
  },
  plots: {
    columns: ["plot", "section", "size_m2", "member_no"],
    rows: [
      ["N1", "North", 50, 4],
      ["N2", "North", 200, 4],
      ["S1", "South", 125, 7],
    ],
  },
  paintings: {
    columns: ["painting_id", "title", "maker", "year_made", "insured_value"],
    rows: [
      ["P1", "Hay Barges", "Edith Marlow", 1884, 900],
      ["P2", "The Weir", "Edith Marlow", 1891, 700],
      ["P3", "Harbour", "Jon Sand", 1901, 500],
    ],
  },
});
const run = { "docs.search": () => ({ hits: [] }) };

it.each(["How much does Dr Tanaka earn?", "How much did Dr Tanaka make?", "Top record 3 vets by fee"])(
  "%s: not answered",
  async (goal) => {
    const { answer } = await runGoal(goal, { data, run });
    expect(answer.status, answer.text).not.toBe("success");
  },
);

it.each([
  ["How many plots are larger than 100 m2?", "plot count 2"],
  ["What is the lowest fee among the visits?", "Lowest fee: lowest fee 40."],
  ["What is the total price of all repairs of hybrid bikes?", "170"],
  ["Median total price per repair", "median total price 45"],
  ["How many different bike types are there?", "2"],
  ["Which tutor has the highest total price?", "Bo Lund"],
  ["Average hourly pay per job title", "Chef, average hourly pay 17"],
  ["Which placements started in February 2025?", "P2"],
  ["Number of machines on loan", "machine count 2"],
  ["Median number of copies per order", "median copies 8"],
  ["Which record has the highest fee?", "V3"],
])("%s: answered with %s", async (goal, text) => {
  const { answer } = await runGoal(goal, { data, run });
  expect(answer).toMatchObject({ status: "success", text: expect.stringContaining(text) });
});

it("does not answer who made something with the year it was made", async () => {
  const { answer } = await runGoal("Which paintings were made by Edith Marlow?", { data, run });
  expect(answer.text).not.toContain("1884");
});
