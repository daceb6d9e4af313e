/** Whether a gateway's copy of a bucket is fresh, or may have missed changes while disconnected from NATS. */
import type { Bus } from "@planwright/shared/bus";
import { Problem } from "../http/problem.ts";

/** The bucket is also read every 30 seconds, in addition to being followed. */
const STALE_MS = 60_000;

type Freshness = Disposable & {
  /** Call this when the whole bucket was read. */
  renew(): void;
  /** @throws {Problem} `unavailable` when a change could have been missed. */
  require(): void;
};

/** @param unknown - What is unknown, for the error: "whether this key was revoked". */
export function watchFreshness(bus: Bus, monotonicMs: () => number, unknown: string): Freshness {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  void (async () => {
    for await (const { type } of bus.connection.status()) {
      if (isStopped) return;
      // Reading the entries after reconnecting makes it fresh again.
      if (type === "disconnect") readAtMs = Number.NEGATIVE_INFINITY;
    }
  })();
  return {
    renew: () => void (readAtMs = monotonicMs()),
    require() {
      if (monotonicMs() - readAtMs <= STALE_MS) return;
      throw new Problem("unavailable", `the gateway is cut off from NATS and cannot know ${unknown}`, {
        retryAfterS: 1,
      });
    },
    [Symbol.dispose]: () => void (isStopped = true),
  };
}
