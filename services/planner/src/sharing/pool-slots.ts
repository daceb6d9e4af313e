/** How many steps the workers of each pool run at a time, as their heartbeats report every second. */
import { parseJson } from "@planwright/plan";
import { type Bus, WORKER_BEATS } from "@planwright/shared/bus";
import { z } from "zod";

/** A worker that has been silent for this long is gone. */
const SILENT_MS = 5_000;
const WORKERS_MAX = 10_000;

/** The parts of a worker's heartbeat that are used here. */
const Beat = z.object({
  workerId: z.string().max(256),
  pool: z.string().max(64),
  concurrency: z.int().nonnegative(),
});

export type PoolSlots = Disposable & {
  /** 0 when no worker of the pool is known. */
  of(pool: string): number;
  /** Forgets workers that have fallen silent. */
  forgetSilent(): void;
};

/**
 * @param options.nowMs - A monotonic clock in milliseconds.
 * @param options.onChange - Called when a pool's number of slots has changed.
 */
export function keepPoolSlots(
  bus: Bus,
  { nowMs, onChange }: { readonly nowMs: () => number; readonly onChange: () => void },
): PoolSlots {
  const workers = new Map<string, { readonly pool: string; readonly slots: number; heardMs: number }>();
  const slots = new Map<string, number>();
  const add = (pool: string, more: number): void => {
    slots.set(pool, (slots.get(pool) ?? 0) + more);
    onChange();
  };
  const hear = ({ workerId, pool, concurrency }: z.output<typeof Beat>): void => {
    const key = `${pool}/${workerId}`;
    const known = workers.get(key);
    if (known?.slots === concurrency) {
      known.heardMs = nowMs();
      return;
    }
    if (known === undefined && workers.size >= WORKERS_MAX) return;
    workers.set(key, { pool, slots: concurrency, heardMs: nowMs() });
    add(pool, concurrency - (known?.slots ?? 0));
  };
  const subscription = bus.connection.subscribe(WORKER_BEATS, {
    callback(error, message) {
      const beat = error === null ? Beat.safeParse(parseJson(message.string())).data : undefined;
      if (beat !== undefined) hear(beat);
    },
  });
  return {
    of: (pool) => slots.get(pool) ?? 0,
    forgetSilent() {
      for (const [key, { pool, slots: gone, heardMs }] of workers) {
        if (nowMs() - heardMs <= SILENT_MS) continue;
        workers.delete(key);
        add(pool, -gone);
      }
    },
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}
