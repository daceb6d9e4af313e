import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { coalesce } from "./coalesce.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(takesMs = 0) {
  const starts: number[] = [];
  const call = async () => {
    starts.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, takesMs));
  };
  const begin = Date.now();
  const { request, stop } = coalesce(call, { intervalMs: () => 150, now: () => Date.now() });
  return { request, stop, starts: () => starts.map((start) => start - begin) };
}

describe("coalesced calls", () => {
  it("run immediately the first time, then at most once per interval", async () => {
    const { request, starts } = setUp();
    for (let at = 0; at < 600; at += 10) {
      request();
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.runAllTimersAsync();
    expect(starts()).toEqual([0, 150, 300, 450, 600]);
  });

  it("never run two at a time, and one starts after the last request", async () => {
    const { request, starts } = setUp(400);
    request();
    await vi.advanceTimersByTimeAsync(200);
    request();
    request();
    await vi.runAllTimersAsync();
    expect(starts()).toEqual([0, 400]);
  });

  it("are not made once stopped", async () => {
    const { request, stop, starts } = setUp();
    request();
    stop();
    request();
    await vi.runAllTimersAsync();
    expect(starts()).toEqual([]);
  });
});
