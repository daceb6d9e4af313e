import { vi } from "vitest";

/** Runs `act` with a frozen clock: two identical requests in the same millisecond must still count as two. */
export async function inOneInstant<Result>(act: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}
