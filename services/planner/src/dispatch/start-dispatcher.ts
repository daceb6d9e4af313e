/**
 * The dispatcher: folds the log, decides, and carries out what was decided. The only one that sends work.
 *
 * Invariants:
 *   D1. Nothing is decided before the log has been read to its end: a decision on an old state would
 *       only repeat what was done.
 *   D2. What could not be carried out is decided again from the state as it is then; every command has
 *       a derived id, so that carrying it out twice changes nothing.
 *   D3. A decision is stored only while no other has been made since (the fence); whoever is refused
 *       decides anew.
 */
import { type Command, allDue, decide, isEnded, type PlanId } from "@planwright/plan";
import { BUCKETS, ConflictError, followLog, openCheckpoint } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import { type DispatchDeps, executeCommand } from "./execute-command.ts";
import type { OwnedPlan } from "./owned-plan.ts";
import { createPlanTable } from "./plan-table.ts";

/** The pause before something that failed is decided again. */
const AGAIN_MS = 250;
const CHECKPOINT_EVERY_MS = 2_000;

export type Dispatcher = AsyncDisposable & {
  /** Rejects when the log can no longer be followed. */
  readonly finished: Promise<void>;
};

export async function startDispatcher(deps: DispatchDeps & { readonly log: Logger }): Promise<Dispatcher> {
  const { bus, log } = deps;
  const checkpoint = await openCheckpoint(bus, { bucket: BUCKETS.checkpoints, key: "dispatch" });
  const table = createPlanTable(checkpoint.value);
  const busy = new Set<Promise<void>>();
  const again = new Map<PlanId, NodeJS.Timeout>();
  let isReady = false;

  const carryOut = (owned: OwnedPlan, commands: readonly Command[]): void => {
    for (const command of commands) {
      const work = executeCommand(deps, owned, command)
        .catch((error: unknown) => {
          const level = error instanceof ConflictError ? "info" : "warn";
          log[level](
            { planId: owned.plan.planId, kind: command.kind, err: error },
            "decision not carried out",
          );
          decideAgain(owned.plan.planId);
        })
        .finally(() => busy.delete(work));
      busy.add(work);
    }
  };

  const decideAgain = (planId: PlanId): void => {
    if (again.has(planId)) return;
    const decideNow = (): void => {
      again.delete(planId);
      const owned = table.get(planId);
      if (owned === undefined || isEnded(owned.plan)) return;
      owned.recording = Promise.resolve();
      carryOut(owned, decide(owned.plan, allDue(owned.plan)));
    };
    again.set(planId, setTimeout(decideNow, AGAIN_MS));
  };

  const follower = await followLog(bus, {
    from: checkpoint.value,
    log,
    onEntry(entry) {
      const owned = table.fold(entry);
      if (owned !== undefined && isReady) carryOut(owned, decide(owned.plan));
    },
  });
  await follower.caughtUp;
  isReady = true;
  let resumed = 0;
  for (const owned of table.open()) {
    carryOut(owned, decide(owned.plan, allDue(owned.plan)));
    resumed += 1;
  }
  if (resumed > 0) log.info({ plans: resumed }, "open plans taken up");

  const saving = setInterval(() => void checkpoint.save(table.checkpoint()), CHECKPOINT_EVERY_MS);
  return {
    finished: follower.finished,
    async [Symbol.asyncDispose]() {
      clearInterval(saving);
      for (const timer of again.values()) clearTimeout(timer);
      await follower[Symbol.asyncDispose]();
      await Promise.all(busy);
      await checkpoint.save(table.checkpoint());
    },
  };
}
