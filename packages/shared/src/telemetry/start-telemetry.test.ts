import { expect, it } from "vitest";
import { createClock } from "./start-telemetry.ts";

it("the clock keeps the fractions of the monotonic clock", () => {
  let monotonic = 10;
  const clock = createClock(
    () => 1_000 + Math.floor(monotonic - 10),
    () => monotonic,
  );
  monotonic += 0.25;
  expect(clock()).toBe(1_000.25);
});

it("the clock follows the wall clock after the machine has slept", () => {
  let wall = 1_000;
  const clock = createClock(
    () => wall,
    () => 0,
  );
  wall = 61_000;
  expect(clock()).toBe(61_000);
});
