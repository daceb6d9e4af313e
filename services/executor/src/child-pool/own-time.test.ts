import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { countOwnTime } from "./own-time.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("does not count while it is paused", () => {
  const over = vi.fn<() => void>();
  const time = countOwnTime(1_000, over);
  vi.advanceTimersByTime(600);
  time.pause();
  vi.advanceTimersByTime(60_000);
  time.resume();
  vi.advanceTimersByTime(399);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over).toHaveBeenCalledOnce();
});

it("stays stopped when it is resumed after it was disposed", () => {
  const time = countOwnTime(1_000, () => undefined);
  time.pause();
  time[Symbol.dispose]();
  time.resume();
  expect(vi.getTimerCount()).toBe(0);
});
