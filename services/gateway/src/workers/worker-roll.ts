/** The connected workers: those that have sent a heartbeat recently. */
import { parseJson } from "@planwright/plan";
import { type Bus, WORKER_BEATS } from "@planwright/shared/bus";
import { z } from "zod";

/** A worker that has been silent for this long is gone. */
const SILENT_MS = 5_000;
const WORKERS_MAX = 10_000;

const WorkerBeat = z.object({
  workerId: z.string().max(256),
  pool: z.string().max(64),
  version: z.string().max(64),
  inFlight: z.int().nonnegative(),
  concurrency: z.int().nonnegative(),
  tools: z.array(z.string().max(128)),
  brokenTools: z
    .array(z.object({ file: z.string().max(256), reason: z.string().max(1_000) }))
    .default([])
    .meta({
      description: "Custom tool files, MCP servers and MCP tools that the worker cannot use.",
    }),
  agents: z.array(z.string().max(64)).default([]).meta({
    description: "Agent types whose steps are queued in this pool.",
  }),
  agentsDigest: z.string().max(64).optional().meta({
    description: "Digest of the worker's file of agent types; absent if it has none.",
  }),
  wall: z
    .object({ stands: z.boolean(), about: z.string().max(1_000) })
    .optional()
    .meta({
      description:
        "Sandbox of the worker's child processes, provided by the operating system; absent for workers of earlier versions.",
    }),
  at: z.string(),
});
type WorkerBeat = z.output<typeof WorkerBeat>;

export type WorkerRoll = Disposable & {
  /** Ordered by name. */
  present(): WorkerBeat[];
};

/** @param nowMs - A monotonic clock in milliseconds. */
export function keepWorkerRoll(bus: Bus, nowMs: () => number): WorkerRoll {
  const roll = new Map<string, { readonly beat: WorkerBeat; readonly heardMs: number }>();
  const forgetSilent = (): void => {
    for (const [key, { heardMs }] of roll) if (nowMs() - heardMs > SILENT_MS) roll.delete(key);
  };
  const subscription = bus.connection.subscribe(WORKER_BEATS, {
    callback(error, message) {
      if (error !== null) return;
      const beat = WorkerBeat.safeParse(parseJson(message.string())).data;
      if (beat === undefined) return;
      if (roll.size >= WORKERS_MAX) forgetSilent();
      if (roll.size < WORKERS_MAX) roll.set(`${beat.pool}/${beat.workerId}`, { beat, heardMs: nowMs() });
    },
  });
  return {
    present() {
      forgetSilent();
      const beats = [...roll.values()].map(({ beat }) => beat);
      return beats.toSorted((left, right) => keyOf(left).localeCompare(keyOf(right)));
    },
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}

/** The number of steps that the workers run at a time, by pool. */
export function slotsOf(beats: readonly Pick<WorkerBeat, "pool" | "concurrency">[]): Map<string, number> {
  const slots = new Map<string, number>();
  for (const { pool, concurrency } of beats) slots.set(pool, (slots.get(pool) ?? 0) + concurrency);
  return slots;
}

function keyOf({ pool, workerId }: WorkerBeat): string {
  return `${workerId}/${pool}`;
}
