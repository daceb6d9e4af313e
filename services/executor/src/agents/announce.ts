/** The executor's announcements: its tools (stored) and its heartbeats (not stored). */
import { type Agents, poolOfType, type ToolSpec } from "@planwright/plan";
import { type Bus, type Registry, WORKER_BEATS } from "@planwright/shared/bus";
import type { WorkConsumer } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";
import path from "node:path";
import type { BrokenFile } from "../tool-files/watch-tool-files.ts";

const BEAT_EVERY_MS = 1_000;
/** In a heartbeat; the log has all of them in full. */
const BROKEN_TOLD_MAX = 10;
const REASON_CHARS_MAX = 500;

/** A pool that this executor serves. */
export type BusyPool = {
  readonly pool: string;
  /** How many of its steps run here concurrently. */
  readonly concurrency: number;
  readonly consumer: WorkConsumer;
};

/**
 * Writes the specs that are new or have changed, including those of tools that need no worker, so that every reader sees all
 * tools.
 */
export async function announceTools(registry: Registry<ToolSpec>, specs: readonly ToolSpec[]): Promise<void> {
  const changed = specs.filter(
    (spec) => JSON.stringify(registry.entries().get(spec.name)) !== JSON.stringify(spec),
  );
  await Promise.all(changed.map((spec) => registry.put(spec.name, spec)));
}

/** Withdraws tools that an executor announced earlier under other settings; all workers of a pool have the same tools. */
export async function withdrawTools(registry: Registry<ToolSpec>, names: readonly string[]): Promise<void> {
  const known = names.filter((name) => registry.entries().has(name));
  await Promise.all(known.map((name) => registry.remove(name)));
}

/** Announces changes to this executor's own tools and withdraws removed ones. Only logs a failed write. */
export function announceChange(
  registry: Registry<ToolSpec>,
  { specs, gone, log }: { specs: readonly ToolSpec[]; gone: readonly string[]; log: Logger },
): void {
  Promise.all([announceTools(registry, specs), ...gone.map((name) => registry.remove(name))]).catch(
    (err: unknown) => log.error({ err, gone }, "could not announce changed tools"),
  );
}

function briefly({ file, reason }: BrokenFile): BrokenFile {
  return { file: path.basename(file), reason: reason.slice(0, REASON_CHARS_MAX) };
}

/** Publishes every second that this worker is alive, and how busy it is. */
export function startBeats(
  bus: Bus,
  worker: {
    readonly workerId: string;
    readonly version: string;
    /** Whether its child processes run behind a wall, and which, or why not. */
    readonly wall: { readonly stands: boolean; readonly about: string };
    /** Called for every heartbeat. */
    readonly tools: () => readonly string[];
    /** Tool files that cannot be used; called for every heartbeat. */
    readonly brokenTools: () => readonly BrokenFile[];
    /** Digest of its own agents file; absent without one. */
    readonly agentsDigest?: string;
    /** Called for every heartbeat. */
    readonly agentTypes: () => Agents["types"];
    readonly pools: readonly BusyPool[];
    readonly now: () => Date;
  },
): Disposable {
  const { pools, agentTypes, tools, brokenTools, now, wall, ...rest } = worker;
  const about = { ...rest, wall: { ...wall, about: wall.about.slice(0, REASON_CHARS_MAX) } };
  const beat = (): void => {
    if (bus.connection.isClosed()) return;
    for (const { pool, concurrency, consumer } of pools) {
      const agents = [...agentTypes()].filter(([name, type]) => poolOfType(name, type) === pool);
      const names = agents.map(([name]) => name);
      const body = {
        ...about,
        tools: tools(),
        brokenTools: brokenTools().slice(0, BROKEN_TOLD_MAX).map(briefly),
        pool,
        agents: names,
        concurrency,
        inFlight: consumer.inHand(),
        at: now().toISOString(),
      };
      bus.connection.publish(WORKER_BEATS, JSON.stringify(body));
    }
  };
  beat();
  const timer = setInterval(beat, BEAT_EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
