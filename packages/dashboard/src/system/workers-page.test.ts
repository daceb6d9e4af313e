import { expect, it } from "vitest";
import { poolsOf } from "./workers-page.tsx";

const worker = (pool: string, inFlight: number, concurrency = 4) => ({
  workerId: `${pool}-${inFlight}`,
  pool,
  version: "1",
  inFlight,
  concurrency,
  tools: [],
  agents: [],
  brokenTools: [],
  at: "2026-01-01T00:00:00Z",
});

it("adds up the workers of each pool, and includes pools without workers", () => {
  const workers = [worker("default", 1), worker("default", 2), worker("browser", 0)];
  const pools = [
    { pool: "default", queued: 5, delivered: 3, oldestAt: "2026-01-01T00:00:00Z" },
    { pool: "old", queued: 0, delivered: 0 },
  ];
  expect(poolsOf({ workers, pools })).toMatchObject([
    { name: "browser", queued: undefined, inFlight: 0, places: 4, warning: undefined },
    {
      name: "default",
      queued: 5,
      oldestAt: "2026-01-01T00:00:00Z",
      inFlight: 3,
      places: 8,
      warning: undefined,
    },
    { name: "old", workers: [], queued: 0, warning: undefined },
  ]);
});

it("warns of a pool that has work but no workers, or too few", () => {
  const workers = [worker("default", 4)];
  const pools = [
    { pool: "default", queued: 1, delivered: 4 },
    { pool: "left", queued: 2, delivered: 1 },
  ];
  const warned = poolsOf({ workers, pools }).map(({ name, warning }) => `${name}: ${warning}`);
  expect(warned).toEqual([
    "default: All 4 slots are in use, and 1 more is queued: add a worker.",
    "left: No worker serves this pool, and 3 messages are queued: start an executor for it.",
  ]);
});
