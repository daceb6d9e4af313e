import { expect, it } from "vitest";
import { inputOf, queryOf, readChosen, timeOf } from "./metrics-controls.tsx";

it("shows the last 7 days of all strategies in fitting intervals by default", () => {
  expect(queryOf(readChosen({}))).toEqual({ last: "week", period: "auto", strategy: "" });
  expect(queryOf(readChosen({ range: "year", period: "second", strategy: "luck" }))).toEqual({
    last: "week",
    period: "auto",
    strategy: "",
  });
  expect(queryOf(readChosen({ range: "hour", period: "minute", strategy: "parallel" }))).toEqual({
    last: "hour",
    period: "minute",
    strategy: "parallel",
  });
});

it("takes a custom range from the address, with or without an end", () => {
  const from = "2026-01-31T10:00:00.000Z";
  const to = "2026-01-31T12:00:00.000Z";
  expect(queryOf(readChosen({ range: "custom", from, to }))).toMatchObject({ from, to });
  expect(queryOf(readChosen({ range: "custom", from }))).toEqual({ from, period: "auto", strategy: "" });
  // Fields of another range are ignored.
  expect(queryOf(readChosen({ range: "day", from, to }))).toEqual({
    last: "day",
    period: "auto",
    strategy: "",
  });
});

it.each([
  ["no start", { to: "2026-01-31T10:00:00Z" }],
  ["a start that is no time", { from: "yesterday" }],
  ["a start after the end", { from: "2026-02-01T00:00:00Z", to: "2026-01-31T00:00:00Z" }],
  ["an empty range", { from: "2026-01-31T00:00:00Z", to: "2026-01-31T00:00:00Z" }],
])("requests nothing for a custom range with %s", (_what, fields) => {
  expect(queryOf(readChosen({ range: "custom", ...fields }))).toBeUndefined();
});

it("shows and reads the time in a field in the reader's time zone", () => {
  const at = "2026-07-31T10:20:00.000Z";
  expect(timeOf(inputOf(at))).toBe(at);
  expect(inputOf(undefined)).toBe("");
  expect(timeOf("")).toBeUndefined();
});
