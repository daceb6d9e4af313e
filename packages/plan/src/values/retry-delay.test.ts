import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RETRY_AFTER_MS_MAX, RETRY_DELAY_MS_MAX, retryDelayMs } from "./retry-delay.ts";

const delay = (attempt: number, more: object = {}) =>
  retryDelayMs({ attempt, seed: "p1/a", jitter: 0, ...more });

describe("the delay before the next attempt", () => {
  it("doubles from one second", () => {
    expect([1, 2, 3, 4].map((attempt) => delay(attempt))).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it("doubles from the step's own base", () => {
    expect([1, 2, 3].map((attempt) => delay(attempt, { baseMs: 50 }))).toEqual([50, 100, 200]);
    expect(delay(5, { baseMs: 0 })).toBe(0);
  });

  it("grows to at most five minutes", () => {
    expect(delay(40)).toBe(RETRY_DELAY_MS_MAX);
    expect(delay(5_000, { baseMs: 3_600_000 })).toBe(RETRY_DELAY_MS_MAX);
  });

  it("is never shorter than the server requested, even above the maximum", () => {
    expect(delay(1, { atLeastMs: 30_000 })).toBe(30_000);
    expect(delay(1, { atLeastMs: 600_000 })).toBe(600_000);
    expect(delay(3, { atLeastMs: 1 })).toBe(4_000);
  });

  it("is at most a day, even if the server requests more", () => {
    expect(delay(1, { atLeastMs: Number.MAX_VALUE })).toBe(RETRY_AFTER_MS_MAX);
  });

  it("has jitter of up to a quarter, always the same for the same attempt", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 8 }), (seed, attempt) => {
        const delayMs = retryDelayMs({ attempt, seed });
        const least = 1_000 * 2 ** (attempt - 1);
        expect(delayMs).toBeGreaterThanOrEqual(least);
        expect(delayMs).toBeLessThanOrEqual(least * 1.25);
        expect(retryDelayMs({ attempt, seed })).toBe(delayMs);
      }),
    );
  });

  it("differs between steps that failed together", () => {
    const delays = ["a", "b", "c", "d"].map((id) => retryDelayMs({ attempt: 1, seed: `p1/${id}` }));
    expect(new Set(delays).size).toBe(4);
  });
});
