/** Carries out commands, and decides again what could not be carried out. */
import { allDue, type Command, decide, type PlanId } from "@planwright/plan";
import { ConflictError } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import { type DispatchDeps, executeCommand } from "./execute-command.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** The pause before something that failed is decided again. */
const AGAIN_MS = 250;

export type Carrier = Disposable & {
  carryOut(owned: OwnedPlan, commands: readonly Command[]): void;
  /** Decides and carries out everything that the plan waits for, whether or not it was done before. */
  resume(owned: OwnedPlan): void;
  /** Resolves once all that is being carried out now has been. */
  settled(): Promise<void>;
};

/**
 * @param options.find - The plan if it is still to be decided here.
 * @param options.onConflict - Somebody else has decided something about a plan that is decided here.
 */
export function createCarrier(
  deps: DispatchDeps & { readonly log: Logger },
  { find, onConflict }: { find: (planId: PlanId) => OwnedPlan | undefined; onConflict: () => void },
): Carrier {
  const { log } = deps;
  const busy = new Set<Promise<void>>();
  const again = new Map<PlanId, NodeJS.Timeout>();

  const failed = (owned: OwnedPlan, { kind }: Command, error: unknown): void => {
    const { planId } = owned.plan;
    const isConflict = error instanceof ConflictError;
    log[isConflict ? "info" : "warn"]({ planId, kind, err: error }, "decision not carried out");
    if (isConflict) onConflict();
    decideAgain(planId);
  };

  const carryOut = (owned: OwnedPlan, commands: readonly Command[]): void => {
    for (const command of commands) {
      const work = executeCommand(deps, owned, command)
        .catch((error: unknown) => failed(owned, command, error))
        .finally(() => busy.delete(work));
      busy.add(work);
    }
  };

  const resume = (owned: OwnedPlan): void => {
    owned.recording = Promise.resolve();
    carryOut(owned, decide(owned.plan, allDue(owned.plan)));
  };

  const decideAgain = (planId: PlanId): void => {
    if (again.has(planId)) return;
    const decideNow = (): void => {
      again.delete(planId);
      const owned = find(planId);
      if (owned !== undefined) resume(owned);
    };
    again.set(planId, setTimeout(decideNow, AGAIN_MS));
  };

  return {
    carryOut,
    resume,
    settled: async () => void (await Promise.all(busy)),
    [Symbol.dispose]() {
      for (const timer of again.values()) clearTimeout(timer);
    },
  };
}
