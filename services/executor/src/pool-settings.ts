import { type AgentType, PoolName, POOL_CONCURRENCY_MAX, poolOfType } from "@planwright/plan";

/** A pool, and how many of its steps one executor runs concurrently. */
export type PoolSettings = { readonly pool: string; readonly concurrency: number };

/** The most steps of one pool that an executor can hold. */
export const CONCURRENCY_MAX = POOL_CONCURRENCY_MAX;
/** `gpu` or `gpu=2`. */
export const POOL_PATTERN = /^([\w-]{1,64})(?:=([1-9]\d{0,2}|1000))?$/;

type Types = Readonly<Record<string, Pick<AgentType, "pool" | "concurrency">>>;

/**
 * Reads entries such as `default` and `gpu=2`.
 *
 * @param entries - When absent, `default` and the pools of all agent types.
 * @param options.concurrency - For a pool whose concurrency neither its entry nor an agent type sets.
 * @param options.types - If several types share a pool, the largest `concurrency` counts.
 * @throws {RangeError} For an invalid entry, or a pool that is named twice.
 */
export function readPools(
  entries: readonly string[] | undefined,
  { concurrency, types = {} }: { readonly concurrency: number; readonly types?: Types },
): PoolSettings[] {
  const ofTypes = concurrencies(types);
  const pools = (entries ?? [...new Set(["default", ...ofTypes.keys()])]).map((entry): PoolSettings => {
    const [, name, count] = POOL_PATTERN.exec(entry) ?? [];
    const { data: pool } = PoolName.safeParse(name);
    if (pool === undefined)
      throw new RangeError(`wanted pools such as default or gpu=2, got ${JSON.stringify(entry)}`);
    return { pool, concurrency: count === undefined ? (ofTypes.get(pool) ?? concurrency) : Number(count) };
  });
  const names = new Set(pools.map(({ pool }) => pool));
  if (names.size < pools.length)
    throw new RangeError(`wanted each pool once, got ${(entries ?? []).join(",")}`);
  return pools;
}

/** The pools of the types, with the largest concurrency that their types set. */
function concurrencies(types: Types): ReadonlyMap<string, number | undefined> {
  const pools = new Map<string, number | undefined>();
  for (const [name, type] of Object.entries(types)) {
    const pool = poolOfType(name, type);
    const known = pools.get(pool);
    pools.set(pool, Math.max(known ?? 0, type.concurrency ?? 0) || undefined);
  }
  return pools;
}
