import { expect, it } from "vitest";
import { sequenceNumber, sizeRange } from "./option-values.ts";

it.each([
  ["3..12", { min: 3, max: 12 }],
  ["3..", { min: 3 }],
  ["..12", { max: 12 }],
  ["5", { min: 5, max: 5 }],
])("parses %s as a range of steps", (text, range) => {
  expect(sizeRange(text)).toEqual(range);
});

it.each(["..", "", "a..b", "3-12", "-1..2"])("refuses %j as a range of steps", (text) => {
  expect(() => sizeRange(text)).toThrow("It must be a range of steps such as 3..12, 3.. or ..12.");
});

it("accepts only whole numbers as the number of an event", () => {
  expect(sequenceNumber("12")).toBe(12);
  for (const text of ["", "-1", "1.5", "foo"]) expect(() => sequenceNumber(text)).toThrow("a whole number");
});
