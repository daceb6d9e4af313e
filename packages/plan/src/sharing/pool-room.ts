/** How many steps of a pool can be with its workers, and how the planners that send them share this number. */
import type { Room } from "./fair-queue.ts";

/** Of this many slots, one is reserved for plans, and one for tenants, that have no step in flight. */
const KEPT_OF = 32;
/**
 * For a pool without known workers: some may exist but be unable to report, and the messages in its queue show an autoscaler that
 * there is work.
 */
const UNSERVED = { shared: 64, kept: 64 };

/**
 * The room of a planner.
 *
 * @param slots - Steps that the pool's workers can run simultaneously; 0 if no worker is known.
 * @param own - The steps that each tenant has in flight and waiting here.
 * @param others - The same for each other planner.
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
 * This planner's share of the slots: the part of each tenant's fair share that is wanted here. While there are enough for all,
 * everything that the others do not want.
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

/** Divides slots equally among those that want some. None gets more than it wants; the rest goes to the others. */
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
