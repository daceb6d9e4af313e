/** Executes commands, and decides again when they fail. */
import { type Command, decide, isRunCommand, type PlanId } from "@planwright/plan";
import { ConflictError } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import type { WorkGate } from "../sharing/work-gate.ts";
import { type DispatchDeps, executeCommand, record, type RecordCommand } from "./execute-command.ts";
import { compareWithLog, isUnreported, reportDamage } from "./log-damage.ts";
import type { OwnedPlan } from "./owned-plan.ts";

/** The pause before deciding again after a failure. */
const AGAIN_MS = 250;
/** After this many refused decisions, too many to be explained by unread news of another owner, the log is checked. */
const REFUSALS_MAX = 4;

export type Carrier = Disposable & {
  carryOut(owned: OwnedPlan, commands: readonly Command[]): void;
  /** Decides and executes everything the plan is waiting for, whether or not it was done before. */
  resume(owned: OwnedPlan): void;
  /** Executes one command now, whatever else is waiting. */
  execute(owned: OwnedPlan, command: Command): void;
  /** Resolves once everything in execution has finished. */
  settled(): Promise<void>;
};

export type CarrierOptions = {
  /** The plan if it is still decided here. */
  readonly find: (planId: PlanId) => OwnedPlan | undefined;
  /** Called when another planner has decided something about a plan that is decided here. */
  readonly onConflict: () => void;
  /** The gate through which steps are sent. */
  readonly gate: () => Pick<WorkGate, "take" | "release">;
};

export function createCarrier(
  deps: DispatchDeps & { readonly log: Logger },
  { find, onConflict, gate }: CarrierOptions,
): Carrier {
  const { bus, log } = deps;
  const busy = new Set<Promise<void>>();
  const reporting = new WeakSet<OwnedPlan>();
  /** The number of refused decisions per plan. */
  const refused = new WeakMap<OwnedPlan, number>();

  const again = decideLater(log, async (planId) => {
    const owned = find(planId);
    if (owned === undefined) return;
    if (refused.get(owned) === REFUSALS_MAX) await compareWithLog(bus, owned);
    resume(owned);
  });

  const failed = (owned: OwnedPlan, kind: Command["kind"], error: unknown): void => {
    const { planId } = owned.plan;
    const isConflict = error instanceof ConflictError;
    log[isConflict ? "info" : "warn"]({ planId, kind, err: error }, "decision not carried out");
    if (isConflict) {
      refused.set(owned, ((refused.get(owned) ?? 0) % REFUSALS_MAX) + 1);
      onConflict();
    }
    again.soon(planId);
  };

  const track = (execution: Promise<void>): void => {
    const work = execution.finally(() => busy.delete(work));
    busy.add(work);
  };

  const execute = (owned: OwnedPlan, command: Command): void =>
    track(executeCommand(deps, owned, command).catch((error: unknown) => failed(owned, command.kind, error)));

  const decided = (owned: OwnedPlan, decisions: readonly RecordCommand[]): void =>
    track(record(deps, owned, decisions).catch((error: unknown) => failed(owned, "record", error)));

  const carryOut = (owned: OwnedPlan, commands: readonly Command[]): void => {
    if (isUnreported(owned)) return report(owned);
    const decisions: RecordCommand[] = [];
    for (const command of commands) {
      if (isRunCommand(command)) gate().take(owned, command);
      else if (command.kind === "record") decisions.push(command);
      else execute(owned, command);
    }
    if (decisions.length > 0) decided(owned, decisions);
    gate().release();
  };

  /** A plan with an incomplete log is not decided until the log records the damage. */
  const report = (owned: OwnedPlan): void => {
    if (reporting.has(owned)) return;
    reporting.add(owned);
    const { planId } = owned.plan;
    const retry = (error: unknown): void => {
      log.warn({ planId, err: error }, "could not report damage");
      reporting.delete(owned);
      again.soon(planId);
    };
    track(reportDamage(deps, owned).catch(retry));
  };

  const resume = (owned: OwnedPlan): void => {
    owned.recording = Promise.resolve();
    carryOut(owned, decide(owned.plan));
  };

  return {
    carryOut,
    resume,
    execute,
    settled: async () => void (await Promise.all(busy)),
    [Symbol.dispose]: () => again[Symbol.dispose](),
  };
}

/** Decides about a plan after a pause, once for any number of calls, and again on failure. */
function decideLater(
  log: Logger,
  decideNow: (planId: PlanId) => Promise<void>,
): Disposable & { soon(planId: PlanId): void } {
  const timers = new Map<PlanId, NodeJS.Timeout>();
  const soon = (planId: PlanId): void => {
    if (timers.has(planId)) return;
    const decideOrWait = async (): Promise<void> => {
      timers.delete(planId);
      try {
        await decideNow(planId);
      } catch (error) {
        log.warn({ planId, reason: describeError(error) }, "the log of a plan cannot be read");
        soon(planId);
      }
    };
    timers.set(
      planId,
      setTimeout(() => void decideOrWait(), AGAIN_MS),
    );
  };
  return {
    soon,
    [Symbol.dispose]() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
