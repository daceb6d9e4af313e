import { expect, it } from "vitest";
import { restartPolicy } from "./restart-policy.ts";

it("doubles the wait with every death and gives up at the sixth within a minute", () => {
  const next = restartPolicy(() => 0);
  expect(Array.from({ length: 6 }, next)).toEqual([100, 200, 400, 800, 1600, undefined]);
});

it("forgets deaths that are more than a minute old", () => {
  let now = 0;
  const next = restartPolicy(() => now);
  for (let death = 0; death < 5; death++) next();
  now = 60_000;
  expect(next()).toBe(100);
});
