/**
 * What the planners know of each other, in one key-value bucket.
 *
 * `planner.<id>` is a planner's lease: it lives for 2 s and is renewed well before. `partition.<n>` names the planner that owns a
 * partition, as long as that planner's lease lives.
 */
import { PARTITIONS } from "@planwright/plan";
import {
  BUCKETS,
  type Bucket,
  type BucketEntry,
  type Bus,
  type KnownWrite,
  openBucket,
} from "@planwright/shared/bus";
import { z } from "zod";

/** How long a lease lives without being renewed. */
export const LEASE_MS = 2_000;

const Ownership = z.object({ owner: z.string() });

export type Leases = {
  /** The revision of the last renewal of each planner with a live lease. */
  readonly planners: ReadonlyMap<string, number>;
  /** Planners that left, or that were found dead. */
  readonly removed: ReadonlySet<string>;
  /** By partition. */
  readonly partitions: readonly { readonly owner: string | undefined; readonly revision: number }[];
};

export type LeaseTable = {
  /** Contains everything written before the renewal; see {@link LeaseTable.renew}. */
  read(renewal?: KnownWrite): Promise<Leases>;
  /** @returns A write that {@link LeaseTable.read} has to show; a replica that is behind does not show it. */
  renew(planner: string): Promise<KnownWrite>;
  /** Ends a lease unless it was renewed after `revision`; without a revision, unconditionally. */
  end(planner: string, revision?: number): Promise<boolean>;
  /** Gives a partition to a planner unless another planner has changed it since `revision`. */
  give(move: {
    readonly partition: number;
    readonly to: string;
    readonly revision: number;
  }): Promise<boolean>;
};

export async function openLeaseTable(bus: Bus): Promise<LeaseTable> {
  const bucket: Bucket = await openBucket(bus, BUCKETS.leases);
  return {
    read: async (renewal) => leasesOf(await bucket.latest([">"], renewal)),
    async renew(planner) {
      const key = `planner.${planner}`;
      const since = (await bucket.write(key, "", { ttlSeconds: LEASE_MS / 1_000 })) ?? 0;
      return { key, since };
    },
    end: (planner, revision) =>
      bucket.remove(`planner.${planner}`, revision === undefined ? {} : { expect: revision }),
    async give({ partition, to, revision }) {
      const value = JSON.stringify({ owner: to } satisfies z.input<typeof Ownership>);
      return (await bucket.write(`partition.${partition}`, value, { expect: revision })) !== undefined;
    },
  };
}

function leasesOf(entries: readonly BucketEntry[]): Leases {
  const planners = new Map<string, number>();
  const removed = new Set<string>();
  const partitions = Array.from({ length: PARTITIONS }, () => ({ owner: ownerOf(undefined), revision: 0 }));
  for (const { key, revision, value, removed: isRemoved } of entries) {
    const [kind, name = ""] = key.split(".");
    if (kind === "partition" && Number(name) < PARTITIONS) {
      partitions[Number(name)] = { owner: ownerOf(value), revision };
    } else if (kind !== "planner") continue;
    else if (value !== undefined) planners.set(name, revision);
    else if (isRemoved === true) removed.add(name);
  }
  return { planners, removed, partitions };
}

/** An unreadable record belongs to no planner: the one that needs the partition rewrites it. */
function ownerOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    return Ownership.parse(JSON.parse(value)).owner;
  } catch {
    return undefined;
  }
}
