import type { Leases, LeaseTable } from "./lease-table.ts";

/**
 * Distributes the partitions among the live planners: computes the next owners from the current ones.
 *
 * Invariants:
 *   ASSIGNMENT-1. Every partition has an owner while any planner is alive, and no two planners' shares differ by more than one.
 *   ASSIGNMENT-2. A planner keeps what it owns up to its share; nothing else moves.
 *   ASSIGNMENT-3. Assigning again gives the same result: while the planners stay the same, nothing moves.
 *   ASSIGNMENT-4. The order in which the planners are named does not matter: all of them compute the same result.
 */

/** The owner of each partition; undefined for one without an owner. */
export type Owners = readonly (string | undefined)[];

/**
 * @param planners - Those that are alive. Partitions of others are free.
 * @returns Undefined for every partition when no planner is alive.
 */
export function assignPartitions(planners: Iterable<string>, owners: Owners): Owners {
  const owned = new Map([...planners].toSorted().map((planner) => [planner, 0]));
  const free: number[] = [];
  for (const owner of owners) {
    const count = owner === undefined ? undefined : owned.get(owner);
    if (owner !== undefined && count !== undefined) owned.set(owner, count + 1);
  }
  const shares = sharesOf(owned, owners.length);
  const next = owners.map((owner, partition) => {
    const left = owner === undefined ? 0 : (shares.get(owner) ?? 0);
    if (owner === undefined || left === 0) {
      free.push(partition);
      return undefined;
    }
    shares.set(owner, left - 1);
    return owner;
  });
  for (const [planner, left] of shares) {
    for (const partition of free.splice(0, left)) next[partition] = planner;
  }
  return next;
}

/** The remainder of the division goes to the planners that own the most already, so that it stays there. */
function sharesOf(owned: ReadonlyMap<string, number>, partitions: number): Map<string, number> {
  const each = Math.floor(partitions / Math.max(1, owned.size));
  let rest = owned.size === 0 ? 0 : partitions % owned.size;
  const shares = new Map([...owned.keys()].map((planner) => [planner, each]));
  const byCount = [...owned].toSorted(([, one], [, other]) => other - one);
  for (const [planner] of byCount) {
    if (rest === 0) break;
    shares.set(planner, each + 1);
    rest -= 1;
  }
  return shares;
}

/** A partition that has to change owners, unless another planner has changed it since `revision`. */
export type Move = { readonly partition: number; readonly to: string; readonly revision: number };

/** What one planner has to do so that all get their share. */
export type PlannedMoves = {
  readonly kept: ReadonlySet<number>;
  /** Partitions without a live owner. */
  readonly free: readonly Move[];
  /** This planner's partitions that others should own. */
  readonly surplus: readonly Move[];
};

export function planMoves(self: string, living: ReadonlySet<string>, { partitions }: Leases): PlannedMoves {
  const kept = new Set<number>();
  const free: Move[] = [];
  const surplus: Move[] = [];
  const next = assignPartitions(
    living,
    partitions.map(({ owner }) => owner),
  );
  for (const [partition, { owner, revision }] of partitions.entries()) {
    const to = next[partition];
    if (to === undefined) continue;
    if (owner === self && to === self) kept.add(partition);
    else if (owner === self) surplus.push({ partition, to, revision });
    else if (to === self && (owner === undefined || !living.has(owner))) {
      free.push({ partition, to, revision });
    }
  }
  return { kept, free, surplus };
}

/** Returns those that were still free. */
export async function claimPartitions(table: LeaseTable, free: readonly Move[]): Promise<Set<number>> {
  const claimed = await Promise.all(
    free.map(async (move) => ((await table.give(move)) ? [move.partition] : [])),
  );
  return new Set(claimed.flat());
}

export async function givePartitions(table: LeaseTable, surplus: readonly Move[]): Promise<void> {
  await Promise.all(surplus.map((move) => table.give(move)));
}
