import { Period } from "@planwright/api";
import { expect, it } from "vitest";
import { periodOf, shownFrom, startOf } from "./periods.ts";

const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();

it.each([
  { period: "hour", start: "2026-11-22T09:00:00.000Z" },
  { period: "day", start: "2026-11-22T00:00:00.000Z" },
  // The 22nd is a Sunday: the last day of its week.
  { period: "week", start: "2026-11-16T00:00:00.000Z" },
] as const)("finds the $period of a moment", ({ period, start }) => {
  const moment = at("2026-11-22T09:59:59.999Z");
  expect(iso(startOf(period, periodOf(period, moment)))).toBe(start);
  expect(periodOf(period, at(start))).toBe(periodOf(period, moment));
  expect(periodOf(period, at(start) - 1)).toBe(periodOf(period, moment) - 1);
});

it("finds the weeks before the epoch too", () => {
  expect(iso(startOf("week", periodOf("week", 0)))).toBe("1969-12-29T00:00:00.000Z");
});

it("shows a day of hours, a month of days, half a year of weeks, the one that is not over included", () => {
  const shown = Period.options.map((period) => iso(shownFrom(period, at("2026-11-22T09:30:00Z"))));
  expect(shown).toEqual(["2026-11-21T10:00:00.000Z", "2026-10-24T00:00:00.000Z", "2026-05-25T00:00:00.000Z"]);
  // What ends with a day does not begin the next one.
  expect(iso(shownFrom("day", at("2026-11-22T00:00:00Z")))).toBe("2026-10-23T00:00:00.000Z");
});
