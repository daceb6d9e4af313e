/**
 * This planner's share of the partitions: renews its lease, claims free partitions, and hands over surplus ones.
 *
 * Ownership of a partition only determines who does the work; decisions are protected by each plan's fence. So planners may
 * disagree for a moment.
 *
 * Invariants:
 *   LEASE-1. A planner decides for a partition only while the table names it as the owner and its own lease, counted from before
 *            its last renewal was sent, has not expired.
 *   LEASE-2. Every check of the table ends with this planner owning its share, or with another check.
 *   LEASE-3. The known table is never older than this planner's last renewal, so it shows every partition that this planner has
 *            claimed: data from a replica that is behind would make it drop them again.
 *   LEASE-4. A planner that changes the table notifies the others, which check immediately; one that misses the notification
 *            checks at its next renewal.
 */
import {
  aliveSubject,
  bePresent,
  type Bus,
  isPresent,
  LEASE_HINTS,
  onReconnect,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { setTimeout as delay } from "node:timers/promises";
import { oneAtATime } from "../one-at-a-time.ts";
import { LEASE_MS, type Leases, type LeaseTable, openLeaseTable } from "./lease-table.ts";
import { claimPartitions, givePartitions, planMoves } from "./assign-partitions.ts";

const RENEW_EVERY_MS = LEASE_MS / 3;
/** How long a handover waits for work in execution; anything slower is done twice, without effect the second time. */
const SETTLE_MS = 500;

/** Runs the owned partitions. */
export type PartitionOwner = {
  /** Sets the owned partitions. Called only when they have changed. */
  own(partitions: ReadonlySet<number>): void;
  /** Called when the lease is held again after a gap. */
  resume(): void;
  /** Resolves once nothing is in execution. */
  settled(): Promise<void>;
};

export type HeldPartitions = AsyncDisposable & {
  /** Joins the planners. Resolves after the first check. */
  begin(owner: PartitionOwner): Promise<void>;
  /** Whether this planner's lease is alive, by its own clock. */
  isHeld(): boolean;
  /** Checks the table soon: another planner seems to own a partition held here. */
  look(): void;
};

type Deps = { readonly bus: Bus; readonly plannerId: string; readonly log: Logger };

/** Owns nothing until `begin`. Disposing hands everything over to the remaining planners. */
export async function holdPartitions(deps: Deps): Promise<HeldPartitions> {
  const { bus, plannerId, log } = deps;
  const table = await openLeaseTable(bus);
  const roll = createPlannerRoll(plannerId);
  const listening = new DisposableStack();
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let owner: PartitionOwner | undefined;
  let owned: ReadonlySet<number> = new Set();

  const own = (next: ReadonlySet<number>): void => {
    if (next.size === owned.size && owned.isSubsetOf(next)) return;
    owned = next;
    log.info({ plannerId, partitions: [...next].toSorted((one, other) => one - other) }, "partitions owned");
    owner?.own(next);
  };

  const settled = async (): Promise<void> => {
    await Promise.race([owner?.settled(), delay(SETTLE_MS, undefined, { ref: false })]);
  };

  const look = async (): Promise<void> => {
    const sentMs = performance.now();
    const leases = await table.read(await table.renew(plannerId));
    const wasHeld = performance.now() < heldUntilMs;
    heldUntilMs = sentMs + LEASE_MS;
    own(owned.intersection(namedIn(leases, plannerId)));
    roll.note(leases, performance.now());
    await buryTheDead({ ...deps, table, roll }, leases);
    const { kept, free, surplus } = planMoves(plannerId, roll.living(), leases);
    const claimed = await claimPartitions(table, free);
    own(kept.union(claimed));
    if (surplus.length > 0) await settled();
    await givePartitions(table, surplus);
    if (!wasHeld && owned.size > 0) owner?.resume();
    if (claimed.size > 0 || surplus.length > 0) bus.connection.publish(LEASE_HINTS);
    if (claimed.size < free.length) looking.soon();
  };

  const leave = async (): Promise<void> => {
    const others = roll.living();
    others.delete(plannerId);
    const { surplus } = planMoves(plannerId, others, await table.read());
    await givePartitions(table, surplus);
    await table.end(plannerId);
    bus.connection.publish(LEASE_HINTS);
  };

  const looking = oneAtATime(unlessItFails(look, log));
  const lookAnew = (): void => {
    roll.forgive();
    looking.soon();
  };
  return {
    async begin(newOwner) {
      owner = newOwner;
      listening.use(await bePresent(bus, aliveSubject(plannerId)));
      const hints = bus.connection.subscribe(LEASE_HINTS, { callback: () => looking.soon() });
      listening.defer(() => hints.unsubscribe());
      listening.use(onReconnect(bus, lookAnew));
      const renewing = setInterval(() => looking.soon(), RENEW_EVERY_MS);
      listening.defer(() => clearInterval(renewing));
      await looking.now();
    },
    isHeld: () => performance.now() < heldUntilMs,
    look: () => looking.soon(),
    async [Symbol.asyncDispose]() {
      await looking.stop();
      heldUntilMs = Number.NEGATIVE_INFINITY;
      await settled();
      // A planner that cannot announce its exit is found to be gone a second later.
      await unlessItFails(leave, log)();
      listening.dispose();
    },
  };
}

/** Checks planners that have been silent, and ends the leases of those that no longer respond. */
async function buryTheDead(
  { bus, log, table, roll }: Deps & { readonly table: LeaseTable; readonly roll: PlannerRoll },
  leases: Leases,
): Promise<void> {
  const asked = roll.suspects().map(async ({ planner, revision, isOverdue }) => {
    if (!isOverdue && (await isPresent(bus, aliveSubject(planner)))) return;
    // It may have renewed in the meantime.
    if (leases.planners.has(planner) && !(await table.end(planner, revision))) return;
    roll.bury(planner);
    log.warn({ plannerId: planner, isOverdue }, "lost a planner");
  });
  await Promise.all(asked);
}

function namedIn({ partitions }: Leases, planner: string): Set<number> {
  return new Set(partitions.flatMap(({ owner }, partition) => (owner === planner ? [partition] : [])));
}

/** Logs a failure, once until it has succeeded again. */
function unlessItFails(work: () => Promise<void>, log: Logger): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ reason: describeError(error) }, "leases cannot be read or renewed");
      isFailing = true;
    }
  };
}

/** When a silent planner starts to be suspected. */
const SUSPECT_MS = LEASE_MS / 2;

/**
 * The membership as seen by one planner.
 *
 * A planner counts as dead when it has left, when it has not renewed its lease for the lease's duration, or when it has not
 * renewed for half of that and its presence subject has no listener. Silence is measured by the observer's clock, and only while
 * it is checking: after its own outage, every planner gets a new chance.
 */
export type Suspect = {
  readonly planner: string;
  /** The revision of its last renewal; 0 when its lease has expired. */
  readonly revision: number;
  /** Whether its time is up, even if it still listens. */
  readonly isOverdue: boolean;
};

export type PlannerRoll = {
  /** Takes the lease table at a time, in milliseconds of a monotonic clock. */
  note(leases: Leases, nowMs: number): void;
  /** Gives every planner a new chance: the observer itself was cut off. */
  forgive(): void;
  /** Planners that have been silent for a while. */
  suspects(): Suspect[];
  /** Treats it as dead until its lease is renewed. */
  bury(planner: string): void;
  living(): Set<string>;
};

type Seen = { readonly revision: number; readonly sinceMs: number; readonly isDead: boolean };

/** @param self - The observer, which is never a suspect. */
export function createPlannerRoll(self: string): PlannerRoll {
  let roll = new Map<string, Seen>();
  let notedMs = Number.NEGATIVE_INFINITY;
  let isForgiving = false;

  const see = (planner: string, revision: number, nowMs: number): Seen => {
    const before = roll.get(planner);
    if (before?.revision === revision) return isForgiving ? { ...before, sinceMs: nowMs } : before;
    // A new planner immediately checks those it finds: they may have died before.
    const isFirstLook = notedMs === Number.NEGATIVE_INFINITY;
    const sinceMs = isFirstLook ? nowMs - SUSPECT_MS : nowMs;
    return { revision, sinceMs, isDead: revision === 0 && before?.isDead === true };
  };

  return {
    note({ planners, removed, partitions }, nowMs) {
      isForgiving ||= nowMs - notedMs > LEASE_MS;
      const next = new Map<string, Seen>();
      for (const [planner, revision] of planners) {
        next.set(planner, see(planner, revision, nowMs));
      }
      for (const { owner } of partitions) {
        if (owner === undefined || next.has(owner) || removed.has(owner)) continue;
        next.set(owner, see(owner, 0, nowMs));
      }
      roll = next;
      notedMs = nowMs;
      isForgiving = false;
    },
    forgive: () => void (isForgiving = true),
    suspects: () =>
      [...roll].flatMap(([planner, { revision, sinceMs, isDead }]) => {
        const silentMs = notedMs - sinceMs;
        if (planner === self || isDead || silentMs < SUSPECT_MS) return [];
        return [{ planner, revision, isOverdue: silentMs >= LEASE_MS }];
      }),
    bury(planner) {
      const seen = roll.get(planner);
      if (seen !== undefined) roll.set(planner, { ...seen, isDead: true });
    },
    living: () => new Set([...roll].flatMap(([planner, { isDead }]) => (isDead ? [] : [planner]))),
  };
}
