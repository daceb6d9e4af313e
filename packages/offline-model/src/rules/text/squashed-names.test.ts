import { expect, it } from "vitest";
import { spokenData } from "./squashed-names.ts";

const sources = (...names: string[]) => [
  {
    source: "s",
    tables: [{ name: "t", columns: names.map((name) => ({ name, type: "", samples: [], complete: false })) }],
  },
];
const named = (...names: string[]) =>
  spokenData(sources(...names))
    .data.flatMap(({ tables }) => tables)
    .flatMap(({ columns }) => columns.map(({ name }) => name));

it("takes a name apart that is nothing but words of column names", () => {
  expect(named("hourlypay", "registeredon", "customerid", "dateofbirth")).toEqual([
    "hourly_pay",
    "registered_on",
    "customer_id",
    "date_of_birth",
  ]);
});

it("leaves every other name as it is", () => {
  const names = [
    "season",
    "reason",
    "station",
    "person",
    "notes",
    "duration",
    "workshop",
    "hourlyPay",
    "hourly_pay",
    "region",
  ];
  expect(named(...names)).toEqual(names.map((name) => (name === "workshop" ? "work_shop" : name)));
});

it("gives arguments the stored names back, and reads a goal that has them", () => {
  const { goalOf, stored } = spokenData(sources("hourlypay"));
  expect(goalOf("Average hourlypay")).toBe("Average hourly pay");
  expect(
    stored({ sql: 'SELECT AVG("hourly_pay") FROM "hourly_pay_list"', x: { field: "hourly_pay" } }),
  ).toEqual({
    sql: 'SELECT AVG("hourlypay") FROM "hourly_pay_list"',
    x: { field: "hourlypay" },
  });
});
