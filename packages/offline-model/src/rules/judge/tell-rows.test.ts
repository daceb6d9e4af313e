import { expect, it } from "vitest";
import { tellRows } from "./tell-rows.ts";

it("reports numbers that name rows unformatted, even in a tie", () => {
  const rows = [
    { customer_no: 1003, order_count: 9 },
    { customer_no: 1018, order_count: 9 },
  ];
  const description = "Customer no with the highest number of orders";
  expect(tellRows(rows, { description, truncated: false })).toBe(
    "Customer no with the highest number of orders: a tie between 1003 and 1018, each with order count 9.",
  );
});
