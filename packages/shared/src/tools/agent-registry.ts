/** Which agent types and pools there are: announced by executors, read by all. */
import { type Agents, AgentType } from "@planwright/plan";
import type { Logger } from "pino";
import { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import { openRegistry } from "../bus/registry.ts";
import { BUCKETS } from "../bus/streams/topology.ts";

/** The name under which the agent types stand; no pool is called so. */
const TYPES = "*types";

const Entry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("types"), digest: z.string(), types: z.record(z.string(), AgentType) }),
  z.object({ kind: z.literal("pool") }),
]);
type Entry = z.infer<typeof Entry>;

/** All agent types of one configuration file. */
export type AgentSet = {
  /** Of what the file says: equal for two files that say the same. */
  readonly digest: string;
  readonly types: Readonly<Record<string, AgentType>>;
};

export type AgentRegistry = AsyncDisposable & {
  /** As of now; the same object while nothing changes. */
  current(): Agents;
  /** Of the file whose types they are; absent when no executor has announced any. */
  digest(): string | undefined;
  /** Puts a file's types in the place of all others. */
  putTypes(set: AgentSet): Promise<void>;
  /** Notes pools that are served; they stay. */
  putPools(pools: readonly string[]): Promise<void>;
  /** Resolves once the types of a file stand here of which `isWanted` holds. */
  untilDigest(isWanted: (digest: string) => boolean, signal: AbortSignal): Promise<void>;
};

/** Opens the registry and waits until its present entries are known. */
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
