/** The existing agent types and pools: announced by executors, read by all services. */
import { type Agents, AgentType } from "@planwright/plan";
import type { Logger } from "pino";
import { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import { openRegistry } from "../bus/registry.ts";
import { BUCKETS } from "../bus/streams/topology.ts";

/** The name of the entry for agent types; no pool can have it. */
const TYPES = "*types";

const Entry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("types"), digest: z.string(), types: z.record(z.string(), AgentType) }),
  z.object({ kind: z.literal("pool") }),
]);
type Entry = z.infer<typeof Entry>;

/** All agent types of one configuration file. */
export type AgentSet = {
  /** Of the file's content: equal for two files with the same content. */
  readonly digest: string;
  readonly types: Readonly<Record<string, AgentType>>;
};

export type AgentRegistry = AsyncDisposable & {
  /** The current agents; the same object while nothing changes. */
  current(): Agents;
  /** Of the file that defines the types; absent when no executor has announced any. */
  digest(): string | undefined;
  /** Replaces all types by those of a file. */
  putTypes(set: AgentSet): Promise<void>;
  /** Adds pools that are served; they are never removed. */
  putPools(pools: readonly string[]): Promise<void>;
  /** Resolves once the types here are those of a file for which `isWanted` holds. */
  untilDigest(isWanted: (digest: string) => boolean, signal: AbortSignal): Promise<void>;
};

/** Opens the registry and waits until its current entries are known. */
export async function openAgentRegistry(bus: Bus, log: Logger): Promise<AgentRegistry> {
  const registry = await openRegistry(bus, { bucket: BUCKETS.agents, Schema: Entry, log });
  const setOf = (entries: ReadonlyMap<string, Entry>) => {
    const entry = entries.get(TYPES);
    return entry?.kind === "types" ? entry : undefined;
  };
  let seen:
    | { readonly set: AgentSet | undefined; readonly size: number; readonly agents: Agents }
    | undefined;
  return {
    current() {
      const entries = registry.entries();
      const set = setOf(entries);
      if (seen === undefined || seen.set !== set || seen.size !== entries.size) {
        const types = new Map(Object.entries(set?.types ?? {}));
        const pools = new Set([...entries.keys()].filter((name) => name !== TYPES));
        seen = { set, size: entries.size, agents: { types, pools } };
      }
      return seen.agents;
    },
    digest: () => setOf(registry.entries())?.digest,
    putTypes: ({ digest, types }) => registry.put(TYPES, { kind: "types", digest, types }),
    async putPools(pools) {
      const isNew = (pool: string): boolean => !registry.entries().has(pool);
      await Promise.all(pools.filter(isNew).map((pool) => registry.put(pool, { kind: "pool" })));
    },
    untilDigest: (isWanted, signal) =>
      registry.until((entries) => {
        const set = setOf(entries);
        return set !== undefined && isWanted(set.digest);
      }, signal),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}
