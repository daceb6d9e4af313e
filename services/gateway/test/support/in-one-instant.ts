import { vi } from "vitest";

/** Two who say the same in the same millisecond are still two. */
export async function inOneInstant<Result>(act: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}
