import { expect, it } from "vitest";
import { sizeRange } from "./option-values.ts";

it.each([
  ["3..12", { min: 3, max: 12 }],
  ["3..", { min: 3 }],
  ["..12", { max: 12 }],
  ["5", { min: 5, max: 5 }],
])("reads %s as a range of steps", (text, range) => {
  expect(sizeRange(text)).toEqual(range);
});

it.each(["..", "", "a..b", "3-12", "-1..2"])("refuses %j as a range of steps", (text) => {
  expect(() => sizeRange(text)).toThrow("Wanted a range of steps such as 3..12, 3.. or ..12.");
});
