import { Period } from "@planwright/api";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  countPeriods,
  fittingPeriods,
  periodOf,
  shownFrom,
  startOf,
  startOfRange,
} from "./metrics-groups.ts";

const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();

it.each([
  { period: "minute", start: "2026-11-22T09:59:00.000Z" },
  { period: "ten-minutes", start: "2026-11-22T09:50:00.000Z" },
  { period: "hour", start: "2026-11-22T09:00:00.000Z" },
  { period: "day", start: "2026-11-22T00:00:00.000Z" },
  // The 22nd is a Sunday: the last day of its week.
  { period: "week", start: "2026-11-16T00:00:00.000Z" },
] as const)("finds the $period that contains a moment", ({ period, start }) => {
  const moment = at("2026-11-22T09:59:59.999Z");
  expect(iso(startOf(period, periodOf(period, moment)))).toBe(start);
  expect(periodOf(period, at(start))).toBe(periodOf(period, moment));
  expect(periodOf(period, at(start) - 1)).toBe(periodOf(period, moment) - 1);
});

it("finds the weeks before the epoch too", () => {
  expect(iso(startOf("week", periodOf("week", 0)))).toBe("1969-12-29T00:00:00.000Z");
});

it("shows an hour of minutes, a day of hours, a month of days, half a year of weeks, including the current one", () => {
  const shown = Period.options.map((period) => iso(shownFrom(period, at("2026-11-22T09:30:00Z"))));
  expect(shown).toEqual([
    "2026-11-22T08:30:00.000Z",
    "2026-11-22T03:30:00.000Z",
    "2026-11-21T10:00:00.000Z",
    "2026-10-24T00:00:00.000Z",
    "2026-05-25T00:00:00.000Z",
  ]);
  // A period that ends with a day does not include the next one.
  expect(iso(shownFrom("day", at("2026-11-22T00:00:00Z")))).toBe("2026-10-23T00:00:00.000Z");
});

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

it.each([
  { range: "hour", from: "2026-11-22T08:30:00.000Z" },
  { range: "month", from: "2026-10-23T09:30:00.000Z" },
] as const)("starts the last $range exactly that long before its end", ({ range, from }) => {
  expect(iso(startOfRange(range, at("2026-11-22T09:30:00Z")))).toBe(from);
});

it.each([
  { first: 3, period: "minute", periods: 12 },
  { first: 55, period: "minute", periods: 55 },
  { first: 180, period: "ten-minutes", periods: 18 },
  { first: 2 * 1_440, period: "hour", periods: 48 },
  { first: 20 * 1_440, period: "day", periods: 20 },
] as const)(
  "shows $periods periods of a $period when the first plan of a month ended $first minutes ago",
  ({ first, period, periods }) => {
    const toMs = at("2026-11-23T00:00:00Z");
    const fromMs = toMs - 30 * DAY_MS;
    const fitting = fittingPeriods({ fromMs, firstMs: toMs - first * MINUTE_MS, toMs });
    expect(fitting.period).toBe(period);
    expect(countPeriods(period, { fromMs: fitting.fromMs, toMs })).toBe(periods);
  },
);

it("shows the whole range when there are no plans, and never more than the range", () => {
  const toMs = at("2026-11-22T09:30:00Z");
  const fromMs = toMs - 30 * DAY_MS;
  expect(fittingPeriods({ fromMs, toMs })).toEqual({ period: "day", fromMs });
  const short = { fromMs: toMs - 2 * MINUTE_MS, toMs };
  expect(fittingPeriods(short)).toEqual({ period: "minute", fromMs: short.fromMs });
});

it("shows periods that cover every plan, up to 60 of them unless they are weeks", () => {
  const times = fc.record({
    toMs: fc.nat(2 ** 42),
    length: fc.integer({ min: 1, max: 2 ** 36 }),
    first: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  fc.assert(
    fc.property(times, ({ toMs, length, first }) => {
      const fromMs = toMs - length;
      const firstMs = fromMs + Math.floor(first * length);
      const fitting = fittingPeriods({ fromMs, firstMs, toMs });
      expect(fitting.fromMs).toBeGreaterThanOrEqual(fromMs);
      expect(periodOf(fitting.period, fitting.fromMs)).toBeLessThanOrEqual(periodOf(fitting.period, firstMs));
      const periods = countPeriods(fitting.period, { fromMs: fitting.fromMs, toMs });
      expect(periods).toBeGreaterThan(0);
      expect(fitting.period === "week" || periods <= 60).toBe(true);
    }),
  );
});
