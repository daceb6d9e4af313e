import { expect, it } from "vitest";
import { formatTick } from "./format.ts";

it.each([
  [200, "200 ms"],
  [2_000, "2 s"],
  [2_500, "2.5 s"],
  [20_000, "20 s"],
  [70_000, "1 min 10 s"],
])("formats %d ms as %s on an axis", (ms, wanted) => {
  expect(formatTick(ms)).toBe(wanted);
});
