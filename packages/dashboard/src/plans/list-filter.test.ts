import { expect, it } from "vitest";
import { countFields, queryOf, readFilter, textOf, withFilter } from "./list-filter.ts";

it("is written to the address beside its other fields, and read back", () => {
  const filter = { q: "tents & refunds", status: "failed", since: "today" };
  const search = withFilter("?tab=steps&list.needs=approval", filter);
  expect(search).toBe("?tab=steps&list.q=tents+%26+refunds&list.status=failed&list.since=today");
  expect(readFilter(search)).toEqual(filter);
  expect(withFilter(search, {})).toBe("?tab=steps");
  expect(withFilter("?list.status=failed", {})).toBe("");
  expect(readFilter("?list.q=&status=failed")).toEqual({});
});

it("has the same text for any order of its fields", () => {
  expect(textOf({ since: "week", q: "a" })).toBe(textOf({ q: "a", since: "week", status: "" }));
  expect(countFields({ q: "a", status: "failed", needs: "" })).toBe(1);
});

it("requests plans from a start time", () => {
  const now = new Date(2026, 10, 22, 16, 30, 20).getTime();
  const from = (since: string) => new Date(queryOf({ since }, now)["since"] ?? "").getTime();
  expect(from("today")).toBe(new Date(2026, 10, 22).getTime());
  expect(from("hour")).toBe(new Date(2026, 10, 22, 15, 30).getTime());
  expect(from("week")).toBe(now - 20_000 - 7 * 86_400_000);
  expect(queryOf({ q: "", status: "open", since: "no such time" }, now)).toEqual({ status: "open" });
});
