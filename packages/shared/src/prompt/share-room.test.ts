import { expect, it } from "vitest";
import { shareRoom } from "./describe-results.ts";

it("gives small texts all they need, and divides the rest evenly among the large ones", () => {
  expect(shareRoom([10, 5_000, 20, 9_000], { room: 1_030, least: 0 })).toEqual([10, 500, 20, 500]);
  expect(shareRoom([300, 400], { room: 1_000, least: 0 })).toEqual([300, 400]);
  expect(shareRoom([], { room: 1_000, least: 10 })).toEqual([]);
});

it("gives each text the minimum, even beyond the total", () => {
  expect(shareRoom([900, 900, 900], { room: 30, least: 50 })).toEqual([50, 50, 50]);
});
