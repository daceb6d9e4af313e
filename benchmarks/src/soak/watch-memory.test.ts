import { expect, it } from "vitest";
import { trendOf } from "./watch-memory.ts";

const MIB = 1024 * 1024;

it("compares the first third of the samples with the last", () => {
  const bytes = [10, 12, 14, 50, 16, 16, 20, 22, 24].map((mebibytes) => mebibytes * MIB);
  expect(trendOf("planner", bytes)).toEqual({
    name: "planner",
    firstThird: 12,
    lastThird: 22,
    most: 50,
    samples: 9,
  });
});

it("reports nothing for a process that was never seen", () => {
  expect(trendOf("planner", [])).toMatchObject({ firstThird: 0, lastThird: 0, samples: 0 });
});
