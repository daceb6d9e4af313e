/**
 * The stored form of a message with steps, before or after it is sent: the names of its attempts. They suffice to decide it again
 * from the plan's current state, and to detect when it is over.
 */
import type { Command } from "../decide/command.ts";
import { decide } from "../decide/decide.ts";
import { type AttemptSent, isWorkWanted } from "../decide/is-work-wanted.ts";
import type { Owed } from "../decide/owed.ts";
import { isSameAttempt } from "../machine/step/attempts.ts";
import { isEnded, type KnownPlan } from "../machine/plan-state.ts";
import { nameOf, runOf } from "../machine/step/runs.ts";

export type RunCommand = Extract<Command, { kind: "run" | "unit" }>;

/** Whether a command sends steps to a worker. */
export function isRunCommand(command: Command): command is RunCommand {
  return command.kind === "run" || command.kind === "unit";
}

export type SentRun = {
  /** The command's id: the same whenever it is decided. */
  readonly id: string;
  readonly attempts: readonly AttemptSent[];
};

export function sentRun({ kind, id, work }: RunCommand): SentRun {
  if (kind === "run") return { id, attempts: [nameOfAttempt(work)] };
  const { unit } = work;
  const first = { item: 0, attempt: 1, sentAfter: 0, effect: "read", unit } as const;
  return { id, attempts: work.steps.map(({ stepId }) => ({ stepId, ...first })) };
}

/** Whether any of its attempts is running or can still run. */
export function isRunWanted(plan: KnownPlan, { attempts }: SentRun): boolean {
  return attempts.some((attempt) => isWorkWanted(plan, attempt));
}

/** Whether a worker may still hold it: also while it is asked to stop, until it has reported that it did. */
export function isRunOpen(plan: KnownPlan, run: SentRun): boolean {
  if (isEnded(plan)) return false;
  return run.attempts.some((attempt) => {
    const state = attempt.undo === true ? undefined : runOf(plan, attempt)?.state;
    const isStopping = state?.status === "running" && state.stopping !== undefined;
    return isStopping ? isSameAttempt(state, attempt) : isWorkWanted(plan, attempt);
  });
}

/** Whether the log shows that any of its attempts has started: then a worker has its message. */
export function hasRunBegun(plan: KnownPlan, { attempts }: SentRun): boolean {
  return attempts.some((attempt) => {
    const state = attempt.undo === true ? undefined : runOf(plan, attempt)?.state;
    return state?.status === "running" && state.startedAt !== undefined && isWorkWanted(plan, attempt);
  });
}

/** The commands for it now: to send it, or to record why it cannot run. Empty if it must not be sent any more. */
export function decideRun(plan: KnownPlan, { id, attempts }: SentRun): Command[] {
  const unit = attempts[0]?.unit;
  const owed: Owed[] =
    unit === undefined ? attempts.flatMap((attempt) => owedTo(plan, attempt)) : [{ kind: "unit", unit }];
  return decide(plan, owed).filter((command) => !isRunCommand(command) || command.id === id);
}

function owedTo(plan: KnownPlan, attempt: AttemptSent): Owed[] {
  if (attempt.undo === true) return [{ kind: "undo", stepId: attempt.stepId }];
  const entry = runOf(plan, attempt);
  return entry === undefined ? [] : [{ kind: "run", ...nameOf(entry) }];
}

function nameOfAttempt({ stepId, item, attempt, undo, sentAfter, effect }: AttemptSent): AttemptSent {
  const named = { stepId, item, attempt, sentAfter, effect };
  return undo === undefined ? named : { ...named, undo };
}
