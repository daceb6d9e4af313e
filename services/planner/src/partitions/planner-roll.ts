/**
 * Who lives, as one planner sees it.
 *
 * A planner is taken for dead when it left, when it has not renewed its lease for the lease's time, or for
 * half of that and its presence subject has no listener. Silence counts by the observer's clock, and only
 * while it looks: after its own outage every planner gets a new chance.
 */
import { LEASE_MS, type Leases } from "./lease-table.ts";

/** From when on a planner that was not heard of is asked for. */
const SUSPECT_MS = LEASE_MS / 2;

export type Suspect = {
  readonly planner: string;
  /** Of its last renewal; 0 when its lease has run out. */
  readonly revision: number;
  /** Its time is over, whether or not it still listens. */
  readonly isOverdue: boolean;
};

export type PlannerRoll = {
  /** Takes in the lease table at that time, in milliseconds of a monotonic clock. */
  note(leases: Leases, nowMs: number): void;
  /** Gives every planner a new chance: the observer itself was cut off. */
  forgive(): void;
  /** Those not heard of for a while. */
  suspects(): Suspect[];
  /** Counts it as dead until its lease is renewed. */
  bury(planner: string): void;
  living(): Set<string>;
};

type Seen = { readonly revision: number; readonly sinceMs: number; readonly isDead: boolean };

/** @param self - Who looks: never a suspect. */
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
