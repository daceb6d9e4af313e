import { expect, it } from "vitest";
import { FOLLOW_UPS_MS_MAX, followUpTime } from "./follow-up-time.ts";

it("gives the slot back once follow-up steps have held it for their time in all, however long the first step took", () => {
  let now = 60_000;
  const time = followUpTime(() => now);
  now = 90_000;
  expect(time.isLeft()).toBe(true);
  now += FOLLOW_UPS_MS_MAX - 1;
  expect(time.isLeft()).toBe(true);
  now += 1;
  expect(time.isLeft()).toBe(false);
});
