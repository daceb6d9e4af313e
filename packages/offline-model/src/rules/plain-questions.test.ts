// Questions in the everyday words of a user who sees the tables. The expected figures come from the test's own SQL
// statements; ambiguous questions are refused.
import { describe, expect, it } from "vitest";
import { loadTables } from "../testing/load-table.ts";
import { fleet, hires } from "../testing/plain-tables.ts";
import { runGoal } from "../testing/run-goal.ts";

const shown = (value: unknown) =>
  typeof value === "number"
    ? new Intl.NumberFormat("en-US", {
        minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
        maximumFractionDigits: 2,
      }).format(value)
    : String(value);

async function ask(goal: string, data: typeof fleet) {
  const { answer } = await runGoal(goal, { data, run: { "docs.search": () => ({ hits: [] }) } });
  return answer;
}

describe("a plain question about tables that refer to one another", () => {
  it.each([
    ["How many bikes have never been inspected?", "SELECT 3 AS n"],
    [
      "How many bikes have no inspections?",
      "SELECT COUNT(*) FROM bikes WHERE id NOT IN (SELECT bike_id FROM inspections)",
    ],
    [
      "Which stations have no bikes?",
      "SELECT name FROM stations WHERE id NOT IN (SELECT station_id FROM bikes)",
    ],
    [
      "How many inspections were made on bikes of the kind cargo?",
      "SELECT COUNT(*) FROM inspections JOIN bikes ON bikes.id = bike_id WHERE kind = 'cargo'",
    ],
    [
      "What is the total purchase price of the bikes at the Museum station?",
      "SELECT SUM(purchase_price) FROM bikes WHERE station_id = 2",
    ],
    ["How many bikes are assigned to each station?", "SELECT COUNT(*) FROM bikes GROUP BY station_id"],
    ["Who is the manager of the Airport station?", "SELECT 'Cleo Marsh'"],
    ["Which stations opened after 2015?", "SELECT name FROM stations WHERE opened_year > 2015"],
    ["Which stations opened before 2015?", "SELECT name FROM stations WHERE opened_year < 2015"],
    [
      "What is the frame number of the most expensive bike?",
      "SELECT frame_number FROM bikes ORDER BY purchase_price DESC LIMIT 1",
    ],
    [
      "What is the frame number of the bike with the highest purchase price?",
      "SELECT frame_number FROM bikes ORDER BY purchase_price DESC LIMIT 1",
    ],
    [
      "What is the cheapest cargo bike and what is its purchase price?",
      "SELECT id, purchase_price FROM bikes WHERE kind = 'cargo' ORDER BY purchase_price LIMIT 1",
    ],
    ["What is the kind of bike 7?", "SELECT kind FROM bikes WHERE id = 7"],
    [
      "How many inspections did each inspector carry out?",
      "SELECT COUNT(*) FROM inspections GROUP BY inspector",
    ],
    [
      "Which inspector is listed most often?",
      "SELECT inspector FROM inspections GROUP BY inspector ORDER BY COUNT(*) DESC LIMIT 1",
    ],
    [
      "In which month was the total defect count of the inspections highest?",
      "SELECT SUM(defect_count) FROM inspections GROUP BY substr(inspection_date, 1, 7) ORDER BY 1 DESC LIMIT 1",
    ],
    ["How many inspections have no score?", "SELECT COUNT(*) FROM inspections WHERE score IS NULL"],
    [
      "How many inspections have no defect count?",
      "SELECT COUNT(*) FROM inspections WHERE defect_count IS NULL",
    ],
    [
      "In how many inspections was the lamp not working?",
      "SELECT COUNT(*) FROM inspections WHERE lamp_working = 'no'",
    ],
  ])("%s", async (goal, sql) => {
    const { status, text } = await ask(goal, fleet);
    expect(status, text).toBe("success");
    for (const row of fleet.query(sql))
      for (const value of Object.values(row)) expect(text).toContain(shown(value));
  });
});

describe("a plain question about one table", () => {
  it.each([
    ["What is the total price of all hires?", "SELECT SUM(price) FROM hires"],
    [
      "Show the total hire price by payment, from highest to lowest.",
      "SELECT SUM(price) FROM hires GROUP BY payment",
    ],
    ["How many hires were not paid by card?", "SELECT COUNT(*) FROM hires WHERE payment <> 'card'"],
    ["How many hires have a payment other than cash?", "SELECT COUNT(*) FROM hires WHERE payment <> 'cash'"],
    [
      "Which payment was used least often?",
      "SELECT payment FROM hires GROUP BY payment ORDER BY COUNT(*) LIMIT 1",
    ],
    [
      "What is the most common payment?",
      "SELECT payment FROM hires GROUP BY payment ORDER BY COUNT(*) DESC LIMIT 1",
    ],
    ["How many hires have not been returned yet?", "SELECT COUNT(*) FROM hires WHERE returned_on IS NULL"],
    ["How many hires were returned?", "SELECT COUNT(*) FROM hires WHERE returned_on IS NOT NULL"],
    ["When was hire H24-102 returned?", "SELECT returned_on FROM hires WHERE hire_no = 'H24-102'"],
    ["Who was the customer for hire H25-107?", "SELECT customer FROM hires WHERE hire_no = 'H25-107'"],
    ["What is the price of hire H25-105?", "SELECT price FROM hires WHERE hire_no = 'H25-105'"],
    [
      "List the hire numbers of the hires paid by voucher.",
      "SELECT hire_no FROM hires WHERE payment = 'voucher'",
    ],
    [
      "How many different riders paid by card?",
      "SELECT COUNT(DISTINCT rider_code) FROM hires WHERE payment = 'card'",
    ],
    ["What is the average number of hours per hire?", "SELECT ROUND(AVG(hours), 2) FROM hires"],
    [
      "Did Ada Voss or Ben Otero have the higher average price?",
      "SELECT ROUND(AVG(price), 2) FROM hires WHERE customer IN ('Ada Voss', 'Ben Otero') GROUP BY customer",
    ],
    ["How many hires started in May 2025?", "SELECT COUNT(*) FROM hires WHERE start_date LIKE '2025-05%'"],
    ["What percentage of the hires were paid by cash?", "SELECT COUNT(*) FROM hires WHERE payment = 'cash'"],
    ["Which different payments are there?", "SELECT DISTINCT payment FROM hires"],
    [
      "How many hires were paid, except those by voucher?",
      "SELECT COUNT(*) FROM hires WHERE payment <> 'voucher'",
    ],
    [
      "Which hire payment was used least often?",
      "SELECT payment FROM hires GROUP BY payment ORDER BY COUNT(*) LIMIT 1",
    ],
    [
      "What is the most common payment for a hire?",
      "SELECT payment FROM hires GROUP BY payment ORDER BY COUNT(*) DESC LIMIT 1",
    ],
    [
      "What was the lowest price for a voucher hire?",
      "SELECT MIN(price) FROM hires WHERE payment = 'voucher'",
    ],
    [
      "When was hire H24-102 returned, and for what price?",
      "SELECT returned_on, price FROM hires WHERE hire_no = 'H24-102'",
    ],
    ["How many hires have cash as their payment?", "SELECT COUNT(*) FROM hires WHERE payment = 'cash'"],
  ])("%s", async (goal, sql) => {
    const { status, text } = await ask(goal, hires);
    expect(status, text).toBe("success");
    for (const row of hires.query(sql))
      for (const value of Object.values(row)) expect(text).toContain(shown(value));
  });

  it("keeps a key as written, and does not treat a year as a quantity", async () => {
    const orders = loadTables("orders", {
      orders: {
        columns: ["order_no", "amount"],
        rows: [
          [1041, 2500],
          [1042, 1200],
        ],
      },
    });
    expect((await ask("Which order has the highest amount?", orders)).text).toMatch(/order no 1041.*2,500/);
    expect((await ask("Which stations opened after 2015?", fleet)).text).toContain("2016");
  });
});

describe("an ambiguous question is refused", () => {
  it.each([
    ["Which bikes were never inspected in March 2025?", fleet],
    ["Which bikes never had a defect?", fleet],
    ["What is the manager of the most expensive station?", fleet],
    ["What is the value of batch B24-053?", hires],
    ["What was in bike 7?", fleet],
    ["How many of the 12 * 3 hires were cash?", hires],
    ["When did the hires return?", hires],
    ["Did Ada Voss pay more?", hires],
    ["What is the average price of card and cash hires taken together?", hires],
  ])("%s", async (goal, data) => {
    expect((await ask(goal, data)).status).not.toBe("success");
  });
});

it("quotes a sentence whole that its document breaks into lines", async () => {
  const snippet = `If an object is returned late, the borrower pays a surcharge of 40 pounds for
each week or part of a week. After three months the registrar informs the
trustees.`;
  const hit = { path: "policy.md", title: "Policy › Late return", snippet };
  const { answer } = await runGoal("What surcharge does a borrower pay when an object is returned late?", {
    data: fleet,
    run: { "docs.search": () => ({ hits: [hit] }) },
  });
  expect(answer.text).toContain("a surcharge of 40 pounds for each week or part of a week.”");
});

it("does not read words in front of a row's noun, or where values are expected, as a column", async () => {
  const beers = loadTables("beers", {
    beers: {
      columns: ["beer_name", "style", "available"],
      rows: [
        ["Fox", "Stout", "yes"],
        ["Tarn", "Stout", "no"],
        ["Reed", "Lager", "yes"],
        ["Quay", "Sour", "yes"],
      ],
    },
  });
  expect((await ask("Count the available beers that are not Lager.", beers)).text).toMatch(/beer count 2\b/);
  const { text } = await ask("Which different styles are used in the beers?", beers);
  expect(text).toMatch(/1\. Lager; 2\. Sour; 3\. Stout/);
});

describe("a plain question in unusual words", () => {
  const brewery = loadTables("brewery", {
    beers: {
      columns: ["beer_id", "name", "style", "abv_percent", "status"],
      rows: [
        ["B01", "Fox", "stout", 6.1, "active"],
        ["B02", "Tarn", "ale", 6.8, "active"],
        ["B03", "Reed", "ale", 4.4, "discontinued"],
      ],
    },
    sales: {
      columns: ["sale_no", "date", "beer_id", "customer", "amount_eur", "paid"],
      rows: [
        [1, "2024-10-03", "B01", "Anchor", 600, "yes"],
        [2, "2024-11-06", "B02", "Anchor", 285, "no"],
        [3, "2025-04-09", "B02", "Finch", 820, "no"],
        [4, "2025-06-09", "B01", "Finch", 815, "yes"],
      ],
    },
  });
  const visits = loadTables("visits", {
    visits: {
      columns: ["date", "adults", "shop_income"],
      rows: [
        ["2025-06-01", 40, 100],
        ["2025-06-02", 10, null],
        ["2025-06-04", 30, 300],
      ],
    },
  });
  const garage = loadTables("garage", {
    bikes: {
      columns: ["bike", "type", "weight_kg", "has_night_lamp"],
      rows: [
        ["BK1", "city", 16, "yes"],
        ["BK2", "cargo", 31, "no"],
        ["BK3", "cargo", 29, "yes"],
      ],
    },
    rentals: {
      columns: ["rental_id", "bike", "customer", "charge_eur", "rating"],
      rows: [
        ["R1", "BK1", "Boyd", 14, 3],
        ["R2", "BK2", "Ito", 58, 4],
        ["R3", "BK1", "Boyd", 20, 5],
      ],
    },
  });

  const helpdesk = loadTables("helpdesk", {
    tickets: {
      columns: ["ticket", "agent", "status", "reopened"],
      rows: [
        [8801, "ida", "closed", "no"],
        [8802, "ida", "closed", "yes"],
        [8803, "piet", "closed", "no"],
        [8804, null, "open", "no"],
      ],
    },
  });

  it.each([
    ["Which agent closed the most tickets?", helpdesk, /agent ida, ticket count 2/],
    ["What percentage of the tickets was reopened?", helpdesk, /share 25\.0%, ticket count 1/],
    ["Which tickets have no agent?", helpdesk, /8,?804/],
    ["Which beer brought in the most money?", brewery, /Fox, .*amount eur 1,415/],
    ["What is our strongest beer?", brewery, /Tarn.*6\.80/],
    ["What was the total sales amount?", brewery, /2,520/],
    [
      "List the two customers with the highest unpaid amounts.",
      brewery,
      /Finch, amount eur 820.*Anchor, amount eur 285/,
    ],
    [
      "How much lower were sales in April 2025 than in June 2025?",
      brewery,
      /difference 5\.|difference -?5\b/,
    ],
    ["What was the sales amount in the last quarter of 2024?", brewery, /885/],
    ["Were there any sales after 15 June 2025?", brewery, /sale count 0/],
    ["What is the average shop income per day?", visits, /average shop income 200/],
    ["Which bikes were not rented at all?", garage, /no rentals of it: bike BK3/],
    [
      "What is the average rating of the city bikes compared with the cargo bikes?",
      garage,
      /average rating 4.*city.*cargo/,
    ],
    ["Who paid the highest charges?", garage, /Ito/],
    ["Which cargo bike is the lightest?", garage, /BK3.*29/],
    ["Which bikes have a night lamp?", garage, /BK1.*BK3/],
  ])("%s", async (goal, data, expected) => {
    const { status, text } = await ask(goal, data);
    expect(status, text).toBe("success");
    expect(text).toMatch(expected);
  });

  it.each([
    ["Which is the largest bike?", garage],
    ["How many bikes over 20 are there?", garage],
    ["Who is the strongest customer?", garage],
    ["Who is our worst agent?", helpdesk],
    ["What is the amount in dollars?", brewery],
    ["What are sales over 500 and their customers?", brewery],
    ["What is the average charge and which is the cheapest?", garage],
  ])("%s: refused", async (goal, data) => {
    expect((await ask(goal, data)).status).not.toBe("success");
  });
});
