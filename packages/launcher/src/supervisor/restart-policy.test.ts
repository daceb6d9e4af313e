import { expect, it } from "vitest";
import { restartPolicy } from "./restart-policy.ts";

it("doubles the wait with every death and gives up at the sixth within a minute", () => {
  const next = restartPolicy(() => 0);
  expect(Array.from({ length: 6 }, next)).toEqual([100, 200, 400, 800, 1600, undefined]);
});

it("always starts again without a limit, after at most 5 s", () => {
  const next = restartPolicy(() => 0, Number.POSITIVE_INFINITY);
  expect(Array.from({ length: 40 }, next).slice(5, 8)).toEqual([3_200, 5_000, 5_000]);
  expect(next()).toBe(5_000);
});

it("forgets deaths that are more than a minute old", () => {
  let now = 0;
  const next = restartPolicy(() => now);
  for (let death = 0; death < 5; death++) next();
  now = 60_000;
  expect(next()).toBe(100);
});
