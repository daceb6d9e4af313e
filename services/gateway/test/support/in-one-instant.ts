import { vi } from "vitest";

/** Fixes the clock, to show that two identical requests in the same millisecond still count as two. */
export async function inOneInstant<Result>(act: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}
