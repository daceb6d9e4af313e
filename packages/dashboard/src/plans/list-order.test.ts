import { expect, it } from "vitest";
import { fieldsOf, NEWEST_FIRST, orderAfterClick, readOrder } from "./list-order.ts";

it("is kept in the address, which omits a column's default order", () => {
  expect(fieldsOf(NEWEST_FIRST)).toEqual({ sort: undefined, order: undefined });
  expect(fieldsOf({ sort: "goal", order: "asc" })).toEqual({ sort: "goal", order: undefined });
  expect(fieldsOf({ sort: "started", order: "asc" })).toEqual({ sort: "started", order: "asc" });
});

it.each([
  [{}, NEWEST_FIRST],
  [{ sort: "cost" }, { sort: "cost", order: "desc" }],
  [{ sort: "goal" }, { sort: "goal", order: "asc" }],
  [
    { sort: "goal", order: "desc" },
    { sort: "goal", order: "desc" },
  ],
  [{ order: "asc" }, { sort: "started", order: "asc" }],
  [{ sort: "price", order: "up" }, NEWEST_FIRST],
] as const)("reads %j as %j", (fields, order) => {
  expect(readOrder(fields)).toEqual(order);
});

it("starts with the column's default order, and reverses it on a second click", () => {
  const first = orderAfterClick(NEWEST_FIRST, "cost");
  expect(first).toEqual({ sort: "cost", order: "desc" });
  expect(orderAfterClick(first, "cost")).toEqual({ sort: "cost", order: "asc" });
  expect(orderAfterClick(first, "goal")).toEqual({ sort: "goal", order: "asc" });
});
