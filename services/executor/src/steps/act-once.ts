/**
 * Runs an attempt so that its effect happens at most once, as far as that can be known:
 *
 *   ONCE-1. Nothing acts before its start is stored; of several starts only the first one's worker acts unasked.
 *   ONCE-2. A second worker runs it only when the target drops repeated keys, or says that nothing was done.
 *   ONCE-3. An unknown outcome is reported to the plan as such, and a user decides.
 */
import type { StepWork } from "@planwright/plan";
import type { Beginning } from "./begin-attempt.ts";
import { type Outcome, reportInterrupted } from "./report.ts";
import type { Doubt } from "./run-tool.ts";
import { type Settled, settleDoubt } from "./settle-doubt.ts";
import type { StepDeps } from "./step-deps.ts";

const WORKER_LOST = "the worker that started it ended before it could report the outcome";

/**
 * @param attempt - Runs the tool. Undefined when its outcome is no longer needed.
 * @returns The outcome to report; undefined when everything has been said.
 */
export async function actOnce(
  deps: StepDeps,
  work: StepWork,
  {
    beginning,
    signal,
    attempt,
  }: {
    readonly beginning: Exclude<Beginning, "refused">;
    /** Aborts when the worker has to stop. */
    readonly signal: AbortSignal;
    readonly attempt: () => Promise<Outcome | Doubt | undefined>;
  },
): Promise<Outcome | undefined> {
  if (beginning !== "first") {
    const why = beginning === "restored" ? sinceBackup(deps) : WORKER_LOST;
    const settled = await settleDoubt(deps, work, { why, signal });
    if (settled.kind !== "repeatable") return tell(deps, work, settled);
    if (beginning === "late") return giveUp(deps, work, settled);
  }
  const ended = await attempt();
  if (ended?.kind !== "in-doubt") return ended;
  // A stopping worker returns the step: the next one finds out.
  signal.throwIfAborted();
  const { message, usage } = ended;
  const settled = await settleDoubt(deps, work, { why: message, signal });
  if (settled.kind !== "repeatable") return tell(deps, work, settled, usage);
  const uncertain = settled.isSure ? {} : { uncertain: true };
  const error = { code: "failed", message };
  return { kind: "failed", error, retryable: true, ...uncertain, ...(usage === undefined ? {} : { usage }) };
}

/** Says why it is unknown, in a restored system, whether the step has acted. */
export function sinceBackup({ restored }: Pick<StepDeps, "restored">): string {
  return `the system was restored from a backup of ${restored?.backupAt ?? "another time"}, and it is not recorded whether the step took effect after that`;
}

/** The attempt is no longer needed: for the ledger. */
async function giveUp(
  deps: StepDeps,
  work: StepWork,
  { isSure }: Extract<Settled, { kind: "repeatable" }>,
): Promise<Outcome | undefined> {
  if (!isSure) return tell(deps, work, { kind: "interrupted", message: WORKER_LOST });
  return { kind: "failed", error: { code: "not_done", message: WORKER_LOST }, retryable: false };
}

async function tell(
  deps: StepDeps,
  work: StepWork,
  settled: Exclude<Settled, { kind: "repeatable" }>,
  usage?: Doubt["usage"],
): Promise<Outcome | undefined> {
  if (settled.kind !== "interrupted") return usage === undefined ? settled : { ...settled, usage };
  deps.log.warn(
    { planId: work.planId, stepId: work.stepId },
    "a user has to decide whether a step took effect",
  );
  await reportInterrupted(deps, work, settled.message);
  return undefined;
}
