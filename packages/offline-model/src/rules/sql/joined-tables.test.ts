// Questions that need tables joined by key. The expected figures are computed here from the rows, without SQL.
import { describe, expect, it } from "vitest";
import { type Cell, loadTables, type TableData } from "../../testing/load-table.ts";
import { interpret } from "../data/interpret.ts";
import { tablesOf } from "./joined-tables.ts";
import { writeSql } from "./write-sql.ts";

type Row = Readonly<Record<string, Cell>>;

const customers = [
  { id: 1, name: "Anna", city: "Graz", created_at: "2024-03-05" },
  { id: 2, name: "Bert", city: "Wien", created_at: "2024-05-06" },
  { id: 3, name: "Cara", city: "Graz", created_at: "2025-03-01" },
  { id: 4, name: "Dora", city: "Linz", created_at: "2025-01-02" },
];
const categories = [
  { id: 1, name: "Tents" },
  { id: 2, name: "Packs" },
];
const products = [
  { id: 1, name: "Alto", category_id: 1, price: 300 },
  { id: 2, name: "Bivy", category_id: 1, price: 200 },
  { id: 3, name: "Cargo", category_id: 2, price: 90 },
  { id: 4, name: "Loose", category_id: null, price: 10 },
];
const orders = [
  { id: 1, customer_id: 1, order_date: "2025-03-01", amount: 600 },
  { id: 2, customer_id: 1, order_date: "2025-03-09", amount: 90 },
  { id: 3, customer_id: 2, order_date: "2025-03-11", amount: 390 },
  { id: 4, customer_id: 3, order_date: "2025-04-01", amount: 200 },
  { id: 5, customer_id: null, order_date: "2025-03-20", amount: 5_000 },
  { id: 6, customer_id: 3, order_date: "2025-03-21", amount: 180 },
];
const items = [
  { id: 1, order_id: 1, product_id: 1, quantity: 1, revenue: 300 },
  { id: 2, order_id: 1, product_id: 1, quantity: 1, revenue: 300 },
  { id: 3, order_id: 2, product_id: 3, quantity: 1, revenue: 90 },
  { id: 4, order_id: 3, product_id: 1, quantity: 1, revenue: 300 },
  { id: 5, order_id: 3, product_id: 3, quantity: 1, revenue: 90 },
  { id: 6, order_id: 4, product_id: 2, quantity: 1, revenue: 200 },
  { id: 7, order_id: 5, product_id: 4, quantity: 9, revenue: 5_000 },
  { id: 8, order_id: 6, product_id: 3, quantity: 2, revenue: 180 },
];

function load(tables: Readonly<Record<string, readonly Row[]>>): TableData {
  const entries = Object.entries(tables).map(([name, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    return [
      name,
      { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) },
    ] as const;
  });
  return loadTables("shop", Object.fromEntries(entries));
}

const shop = load({ customers, categories, products, orders, order_items: items });

/** The rows of the answer without their names; for a refusal, its reason and the unexplained words. */
function ask(goal: string, data = shop): readonly (readonly unknown[])[] | string {
  const read = interpret(goal, { tables: tablesOf(data.description), antecedent: null, ignored: new Set() });
  if (read.kind === "refused") return [...read.words, read.reason ?? ""].join(" ").trim();
  expect(read.questions).toHaveLength(1);
  return read.questions.flatMap((question) => {
    const { sql, params } = writeSql(question);
    const values = params.filter((param) => typeof param !== "object");
    return data.query(sql, values).map((row) => Object.values(row));
  });
}

const customerOf = (order: Row | undefined) => customers.find(({ id }) => id === order?.["customer_id"]);
const orderOf = (item: Row) => orders.find(({ id }) => id === item["order_id"]);
const productOf = (item: Row) => products.find(({ id }) => id === item["product_id"]);
const categoryOf = (item: Row) => categories.find(({ id }) => id === productOf(item)?.category_id);

/** The sum of `value` for each `key`, highest first. */
function sums<T>(rows: readonly T[], key: (row: T) => string | null, value: (row: T) => number) {
  const groups = Map.groupBy(rows, key);
  return [...groups]
    .map(([name, group]) => [name, group.reduce((sum, row) => sum + value(row), 0)] as const)
    .toSorted((a, b) => b[1] - a[1] || String(a[0] ?? "").localeCompare(String(b[0] ?? "")));
}
const orderSums = (key: (order: (typeof orders)[number]) => string | null) =>
  sums(orders, key, ({ amount }) => amount);
const itemSums = (key: (item: (typeof items)[number]) => string | null) =>
  sums(items, key, ({ revenue }) => revenue);
const inMarch = (order: { order_date: string } | undefined) =>
  order?.order_date.startsWith("2025-03") === true;

describe("a question over tables that are joined by key", () => {
  it("adds up rows by a column of the table that the key refers to, and keeps rows without a key", () => {
    const expected = orderSums((order) => customerOf(order)?.city ?? null);
    expect(expected.map(([city]) => city)).toContain(null);
    expect(ask("Total order amount per customer city")).toEqual(expected);
    expect(ask("Order amount by customer")).toEqual(orderSums((order) => customerOf(order)?.name ?? null));
  });

  it("follows several keys one after another", () => {
    expect(ask("Revenue by product category")).toEqual(itemSums((item) => categoryOf(item)?.name ?? null));
    expect(ask("Revenue by city")).toEqual(itemSums((item) => customerOf(orderOf(item))?.city ?? null));
    const march = items.filter((item) => inMarch(orderOf(item)) && categoryOf(item)?.name === "Tents");
    expect(ask("Revenue of Tents in March")).toEqual([
      [march.reduce((sum, { revenue }) => sum + revenue, 0)],
    ]);
  });

  it("counts the rows of the table that the goal names", () => {
    const graz = orders.filter((order) => customerOf(order)?.city === "Graz");
    expect(ask("How many orders did customers from Graz place in March?")).toEqual([
      [graz.filter(inMarch).length],
    ]);
    expect(ask("How many orders did customers from Graz place?")).toEqual([[graz.length]]);
    expect(ask("How many customers are there per city")).toEqual(
      sums(
        customers,
        ({ city }) => city,
        () => 1,
      ),
    );
    const buyers = new Set(orders.flatMap(({ customer_id }) => (customer_id === null ? [] : [customer_id])));
    expect(ask("How many customers ordered?")).toEqual([[buyers.size]]);
  });

  it("ranks only rows that have the key", () => {
    const pieces = sums(
      items,
      (item) => customerOf(orderOf(item))?.name ?? null,
      ({ quantity }) => quantity,
    );
    expect(pieces[0]?.[0]).toBeNull();
    const named = pieces.filter(([name]) => name !== null);
    const most = named.filter(([, quantity]) => quantity === named[0]?.[1]);
    expect(ask("Which customer ordered the most pieces?")).toEqual(most);
  });

  it("refuses to name who has the fewest, because those without any have no row", () => {
    expect(ask("Which customer has the fewest orders?")).toMatch(/whether those without any count/);
  });

  it("refuses to add up or average a column that belongs to one row of the other table", () => {
    const repeated = /amount belongs to orders and would be counted once for each row of order_items/;
    expect(ask("Amount by product")).toMatch(/whether its average/);
    expect(ask("Average amount by product")).toMatch(repeated);
    expect(ask("Average price by customer")).toMatch(/price belongs to products/);
  });

  it.each([
    "How many orders had Alto?",
    "Number of orders per product",
    "How many orders have more than 1 item?",
    "Average quantity per order",
  ])("does not count items as orders: %s", (goal) => {
    expect(ask(goal)).toEqual(expect.any(String));
  });

  it("returns the average for each name after “by”, and over all rows after “per”", () => {
    const prices = products.map(({ name, price }) => [name, price]);
    expect(ask("Average price by product")).toEqual(prices);
    const mean = products.reduce((sum, { price }) => sum + price, 0) / products.length;
    expect(ask("Average price per product")).toEqual([[mean]]);
  });

  it("does not count customers who ordered if no orders are known", () => {
    expect(ask("How many customers ordered?", load({ customers }))).toBe(
      "“ordered”: customers has neither pieces nor money",
    );
  });

  it("refuses a time that could belong to either table", () => {
    expect(ask("How many customers in March?")).toBe("it could be about customers or about orders");
  });
});

describe("a key that is not certain", () => {
  const sale = (id: number, customer_id: Cell) => ({ id, customer_id, amount: id * 10 });
  const sales = [sale(1, 1), sale(2, 2), sale(3, 2)];

  it("is not followed when two columns or two tables could be meant", () => {
    const people = [1, 2].map((id) => ({ id, customer_id: 3 - id, name: `N${id}`, city: `City${id}` }));
    expect(ask("Amount by city", load({ customers: people, sales }))).toBe("Amount");
    const plain = people.map(({ id, city }) => ({ id, city }));
    expect(ask("Amount by city", load({ customers: plain, customer: plain, sales }))).toBe("Amount");
  });

  it("is not followed when its values cannot match", () => {
    const coded = [
      { id: "C1", city: "Graz" },
      { id: "C2", city: "Wien" },
    ];
    expect(ask("Amount by city", load({ customers: coded, sales }))).toBe("Amount");
  });

  it("makes the query fail when several rows have it, so that nothing is counted twice", () => {
    const twice = [
      { id: 1, city: "Graz" },
      { id: 2, city: "Wien" },
      { id: 2, city: "Linz" },
    ];
    const data = load({ customers: twice, sales });
    expect(() => ask("Amount by city", data)).toThrow("2 occurs twice in customers.id");
    expect(ask("Total amount", data)).toEqual([[60]]);
  });

  it("distinguishes rows with the same name", () => {
    // More names than a description lists, so that nothing says whether they are unique.
    const many = Array.from({ length: 50 }, (_, index) => ({
      id: index + 1,
      name: index < 2 ? "Anna Alt" : `Name ${index}`,
      city: "Graz",
    }));
    const answer = ask("Amount by customer", load({ customers: many, sales }));
    expect(answer).toEqual([
      ["Anna Alt (2)", 50],
      ["Anna Alt (1)", 10],
    ]);
  });

  it("distinguishes columns with the same name by their table, or refuses", () => {
    const people = [1, 2].map((id) => ({ id, name: `N${id}`, status: id === 1 ? "gold" : "new" }));
    const withStatus = sales.map((row) => ({ ...row, status: row.id === 1 ? "open" : "paid" }));
    const data = load({ customers: people, sales: withStatus });
    expect(ask("Amount by status", data)).toEqual(
      sums(
        withStatus,
        ({ status }) => status,
        ({ amount }) => amount,
      ),
    );
    const statusOf = (row: Row) => people.find(({ id }) => id === row["customer_id"])?.status ?? null;
    expect(ask("Amount by customer status", data)).toEqual(
      sums(withStatus, statusOf, ({ amount }) => amount),
    );
    expect(ask("Amount by status and customer", data)).toBe("“status” could be status or customer_status");
  });
});
