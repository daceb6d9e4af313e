import { expect, it } from "vitest";
import { restartPolicy } from "./restart-policy.ts";

it("doubles the delay with every crash, and stops restarting at the sixth crash within a minute", () => {
  const next = restartPolicy(() => 0);
  expect(Array.from({ length: 6 }, next)).toEqual([100, 200, 400, 800, 1600, undefined]);
});

it("never stops restarting without a limit, and waits max 5 s", () => {
  const next = restartPolicy(() => 0, Number.POSITIVE_INFINITY);
  expect(Array.from({ length: 40 }, next).slice(5, 8)).toEqual([3_200, 5_000, 5_000]);
  expect(next()).toBe(5_000);
});

it("forgets crashes that are more than a minute old", () => {
  let now = 0;
  const next = restartPolicy(() => now);
  for (let crash = 0; crash < 5; crash++) next();
  now = 60_000;
  expect(next()).toBe(100);
});
