import { assignPartitions } from "./assign-partitions.ts";
import type { Leases, LeaseTable } from "./lease-table.ts";

/** A partition that is to change hands, unless another planner has changed it since `revision`. */
export type Move = { readonly partition: number; readonly to: string; readonly revision: number };

/** What one planner has to do so that all have their share. */
export type PlannedMoves = {
  readonly kept: ReadonlySet<number>;
  /** No live planner owns them. */
  readonly free: readonly Move[];
  /** Its own that others are to have. */
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
