import { describe, expect, it } from "vitest";
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { loadSales } from "../../testing/sales-data.ts";
import { interpret } from "../data/interpret.ts";
import { tablesOf } from "./joined-tables.ts";
import { writeSql } from "./write-sql.ts";

const sales = loadSales();

function ask(clause: string, data: readonly DataSource[] = sales.description) {
  const read = interpret(clause, { tables: tablesOf(data), antecedent: null, ignored: new Set() });
  const [question] = read.kind === "questions" ? read.questions : [];
  return question === undefined ? null : writeSql(question);
}

function rowsOf(clause: string) {
  const query = ask(clause);
  if (query === null) return null;
  const params = query.params.map((param) => (typeof param === "object" ? null : param));
  return sales.query(query.sql, params);
}

/** The same figure by hand-written SQL. */
const one = (sql: string) => Object.values(sales.query(sql)[0] ?? {})[0];

describe("a question about the table", () => {
  it.each([
    ["What was the total revenue?", { revenue: "ROUND(SUM(revenue), 2) FROM sales" }],
    [
      "How many orders were there in March?",
      { order_count: "COUNT(*) FROM sales WHERE order_date LIKE '2025-03%'" },
    ],
    [
      "How many units were sold in Q2 2025?",
      { units: "SUM(units) FROM sales WHERE order_date BETWEEN '2025-04-01' AND '2025-06-30'" },
    ],
    ["How many different products are there?", { product_count: "COUNT(DISTINCT product) FROM sales" }],
    [
      "What is the average order value of Business customers?",
      { average_revenue: "ROUND(AVG(revenue), 2) FROM sales WHERE customer_segment = 'Business'" },
    ],
    [
      "What was the highest unit price in the West region?",
      { highest_unit_price: "MAX(unit_price) FROM sales WHERE region = 'West'" },
    ],
    [
      "total sales in the first half of 2025",
      { revenue: "ROUND(SUM(revenue), 2) FROM sales WHERE order_date < '2025-07-01'" },
    ],
    [
      "What were total sales last month?",
      { revenue: "ROUND(SUM(revenue), 2) FROM sales WHERE order_date LIKE '2025-12%'" },
    ],
  ])("%s", (clause, figures) => {
    const expected = Object.entries(figures).map(([name, sql]) => [name, one(`SELECT ${sql}`)]);
    expect(rowsOf(clause)).toEqual([Object.fromEntries(expected)]);
  });

  it("groups, ranks and limits", () => {
    expect(rowsOf("What are the top 3 products by units?")).toEqual(
      sales.query("SELECT product, SUM(units) AS units FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 3"),
    );
    expect(rowsOf("Which category had the lowest revenue?")?.[0]).toEqual(
      sales.query(
        "SELECT category, ROUND(SUM(revenue), 2) AS revenue FROM sales GROUP BY 1 ORDER BY 2 LIMIT 1",
      )[0],
    );
  });

  it("lists months in their order, and ranks them when the goal asks for the best", () => {
    const months = rowsOf("revenue by month") ?? [];
    expect(months.map(({ month }) => month)).toEqual(
      Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, "0")}`),
    );
    const best = months.toSorted((a, b) => Number(b["revenue"]) - Number(a["revenue"]))[0];
    expect(rowsOf("Which month had the highest revenue?")?.[0]).toEqual(best);
  });

  it("compares the named values and periods", () => {
    expect(
      rowsOf("Compare North and South in Q3 and Q4")?.map(
        ({ region, quarter }) => `${String(region)} ${String(quarter)}`,
      ),
    ).toEqual(["North 2025-Q3", "South 2025-Q3", "North 2025-Q4", "South 2025-Q4"]);
  });

  it("reports growth between named periods, with the largest decline first when the goal asks for it", () => {
    const rows = rowsOf("Which category declined most from Q2 to Q3?") ?? [];
    const growth = rows.map((row) => Number(row["growth_percent"]));
    expect(rows).toHaveLength(4);
    expect(growth).toEqual(growth.toSorted((a, b) => a - b));
    expect(rows[0]).toMatchObject({ earlier_period: "2025-Q2", period: "2025-Q3" });
  });

  it("adds shares up to a hundred percent", () => {
    const rows = rowsOf("What share of revenue came from West in Q4?") ?? [];
    expect(rows.map(({ region }) => region)).toContain("West");
    expect(rows.reduce((sum, row) => sum + Number(row["share_percent"]), 0)).toBeCloseTo(100, 0);
  });

  it("applies a bound to rows, or to groups when there are groups", () => {
    expect(rowsOf("List orders over 2000 in October")?.every((row) => Number(row["revenue"]) > 2000)).toBe(
      true,
    );
    const groups = rowsOf("Which products sold more than 300 units?") ?? [];
    expect(groups).toHaveLength(
      Number(one("SELECT COUNT(*) FROM (SELECT 1 FROM sales GROUP BY product HAVING SUM(units) > 300)")),
    );
  });

  it("filters by a value that occurs in no sample, and then finds nothing", () => {
    expect(rowsOf("What were sales in the Central region?")).toEqual([{ revenue: null }]);
  });

  it("searches for a name of several words that occurs in no sample, and compares two of them", () => {
    const few = sales.description.map((source) => ({
      ...source,
      tables: source.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({
          ...column,
          samples: column.samples.slice(0, 5),
          complete: false,
        })),
      })),
    }));
    const query = ask("How much revenue did the Alpine Down Jacket make?", few);
    expect(few[0]?.tables[0]?.columns.flatMap((column) => column.samples)).not.toContain(
      "Alpine Down Jacket",
    );
    expect(sales.query(query?.sql ?? "", (query?.params ?? []).map(String))).toEqual(
      sales.query("SELECT ROUND(SUM(revenue), 2) AS revenue FROM sales WHERE product = 'Alpine Down Jacket'"),
    );
    const compared = rowsOf("Compare the units of the Titanium Cook Set and the Alpine Down Jacket") ?? [];
    expect(compared.map(({ product }) => String(product)).toSorted()).toEqual([
      "Alpine Down Jacket",
      "Titanium Cook Set",
    ]);
  });

  it("keeps quotes and semicolons of the goal out of the statement", () => {
    const query = ask(`total revenue for product "x'; DROP TABLE sales; --"`);
    expect(query?.sql).not.toContain("DROP");
    expect(query?.params).toEqual(["x'; DROP TABLE sales; --"]);
  });
});

describe("a clause that the table does not explain", () => {
  it.each([
    "What is the refund policy for products?",
    "Who won the world cup in 1998?",
    "Compare the pricing of Vendor A, Vendor B and Vendor C",
    "What does the Alpine Down Jacket weigh?",
    "tell me a joke",
    "",
  ])("is left to other tools: %j", (clause) => {
    expect(ask(clause)).toBeNull();
  });

  it("is ignored when there is no table at all", () => {
    expect(ask("total revenue by region", [])).toBeNull();
  });
});

describe("tables of another shape", () => {
  const table = (columns: [string, string, unknown[]][]): DataSource[] => [
    {
      source: "s",
      tables: [
        {
          name: "odd table",
          columns: columns.map(([name, type, samples]) => ({
            name,
            type,
            samples: samples as string[],
            complete: type === "TEXT",
          })),
        },
      ],
    },
  ];

  it("distinguishes quarters from a quarter column with a year beside it", () => {
    const data = table([
      ["Team", "TEXT", ["Red", "Blue"]],
      ["Quarter", "TEXT", ["Q1", "Q2"]],
      ["Year", "INTEGER", [2024, 2025]],
      ["Cost", "REAL", [1.5]],
    ]);
    const query = ask("Which team had the highest cost in Q2 2025?", data);
    expect(query?.sql).toContain(`>= '2025-04-01'`);
    expect(query?.sql).toContain(`< '2025-07-01'`);
    expect(query?.label).toBe("Team");
  });

  it("counts rows when nothing can be added up, and quotes odd names", () => {
    const data = table([['odd"kind', "TEXT", ["a", "b"]]]);
    const query = ask("How many rows are there by odd kind?", data);
    expect(query?.sql).toContain('FROM "odd table"');
    expect(query?.sql).toContain('"odd""kind"');
  });

  it("never adds up identifiers or years, and adds up prices only if the goal requests it and each row has one", () => {
    const data = table([
      ["id", "INTEGER", [1]],
      ["year", "INTEGER", [2025]],
      ["price", "REAL", [2.5]],
      ["shop", "TEXT", ["a1", "b1"]],
    ]);
    expect(ask("total price by shop", data)?.sql).toContain('SUM("price"), 2) AS "total_price"');
    const priced = table([
      ["unit_price", "REAL", [2.5]],
      ["price", "REAL", [2.5]],
      ["quantity", "INTEGER", [3]],
      ["shop", "TEXT", ["a1", "b1"]],
    ]);
    expect(ask("total price by shop", priced)).toBeNull();
    expect(ask("total unit price by shop", priced)).toBeNull();
    expect(ask("price by shop", data)).toBeNull();
    expect(ask("average price by shop", data)?.sql).toContain("AVG");
    expect(ask("number of rows by shop", data)?.sql).toContain("COUNT(*)");
  });
});
