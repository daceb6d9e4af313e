/** How many steps of a pool may be with its workers, and how the planners that send them divide this among themselves. */
import type { Room } from "./fair-queue.ts";

/** Of so many slots, one is kept for plans, and one for tenants, that have no step in flight. */
const KEPT_OF = 32;
/**
 * For a pool of which no worker is known: there may be some that cannot say so now, and what waits in its queue shows an
 * autoscaler that there is work.
 */
const UNSERVED = { shared: 64, kept: 64 };

/**
 * The room of a planner.
 *
 * @param slots - Steps that the pool's workers run at a time; 0 when none is known.
 * @param own - What each tenant has in flight and waiting here, in steps.
 * @param others - The same of each other planner.
 */
export function poolRoom(
  slots: number,
  own: ReadonlyMap<string, number>,
  others: readonly ReadonlyMap<string, number>[],
): Room {
  const kept = slots === 0 ? UNSERVED.kept : Math.floor(slots / KEPT_OF);
  const shared = slots === 0 ? UNSERVED.shared : slots - 2 * kept;
  const any = Math.max(1, others.length === 0 ? shared : ownShare(shared, own, others));
  return { any, newPlan: any + kept, newTenant: any + 2 * kept };
}

/**
 * What of the slots is this planner's: of each tenant's fair share, the part that is wanted here. While there is enough
 * for all, everything that the others do not want.
 */
function ownShare(
  slots: number,
  own: ReadonlyMap<string, number>,
  others: readonly ReadonlyMap<string, number>[],
): number {
  const wanted = new Map(own);
  for (const other of others)
    for (const [tenant, count] of other) wanted.set(tenant, (wanted.get(tenant) ?? 0) + count);
  const inAll = sum(wanted.values());
  if (inAll <= slots) return slots - (inAll - sum(own.values()));
  const shares = maxMinShares(slots, wanted);
  let share = 0;
  for (const [tenant, count] of own)
    share += ((shares.get(tenant) ?? 0) * count) / (wanted.get(tenant) ?? count);
  return Math.ceil(share);
}

/** Divides slots alike among those that want some. None gets more than it wants; what it leaves goes to the others. */
function maxMinShares(slots: number, wanted: ReadonlyMap<string, number>): Map<string, number> {
  const shares = new Map<string, number>();
  const fewestFirst = [...wanted].toSorted(([, left], [, right]) => left - right);
  let left = slots;
  fewestFirst.forEach(([name, count], index) => {
    const share = Math.min(count, left / (fewestFirst.length - index));
    shares.set(name, share);
    left -= share;
  });
  return shares;
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
