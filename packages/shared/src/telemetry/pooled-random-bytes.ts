import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8 * 1024;

const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Random bytes of the system, fetched many at a time: ids are short and many, and each fetch costs the same.
 *
 * No byte is handed out twice.
 *
 * @param size - At most 8,192.
 */
export function pooledRandomBytes(size: number): Uint8Array {
  if (size > POOL_BYTES) throw new RangeError(`size must be at most ${POOL_BYTES}, got ${size}`);
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  // A copy: the pool is filled again.
  return Uint8Array.prototype.slice.call(pool, used - size, used);
}
