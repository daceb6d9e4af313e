import { PoolName } from "@planwright/plan";

/** A pool, and how many of its steps one executor runs at a time. */
export type PoolSettings = { readonly pool: string; readonly concurrency: number };

/** The most steps of one pool that an executor can have in hand. */
export const CONCURRENCY_MAX = 1_000;
/** `gpu` or `gpu=2`. */
export const POOL_PATTERN = /^([\w-]{1,64})(?:=([1-9]\d{0,2}|1000))?$/;

/**
 * Reads entries such as `default` and `gpu=2`.
 *
 * @param concurrency - Of a pool that names none.
 * @throws {RangeError} For an entry that is not of that form, and for a pool that is named twice.
 */
export function readPools(entries: readonly string[], concurrency: number): PoolSettings[] {
  const pools = entries.map((entry): PoolSettings => {
    const [, name, count] = POOL_PATTERN.exec(entry) ?? [];
    const pool = PoolName.safeParse(name);
    if (!pool.success)
      throw new RangeError(`wanted pools such as default or gpu=2, got ${JSON.stringify(entry)}`);
    return { pool: pool.data, concurrency: count === undefined ? concurrency : Number(count) };
  });
  const names = new Set(pools.map(({ pool }) => pool));
  if (names.size < pools.length) throw new RangeError(`wanted each pool once, got ${entries.join(",")}`);
  return pools;
}
