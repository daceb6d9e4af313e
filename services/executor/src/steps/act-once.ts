/**
 * Runs an attempt so that its effect happens at most once, as far as that can be known:
 *
 *   ONCE-1. Nothing acts before its start is stored; of several starts, only the worker of the first acts without a check.
 *   ONCE-2. A second worker runs it only when the target drops repeated keys, or reports that nothing was done.
 *   ONCE-3. An unknown outcome is reported to the plan as such, and a user decides.
 */
import type { StepWork } from "@planwright/plan";
import type { Beginning } from "./begin-attempt.ts";
import { type Outcome, reportInterrupted } from "./report.ts";
import type { Doubt } from "./run-tool.ts";
import type { StepDeps } from "./step-deps.ts";
import { describeError } from "@planwright/shared/errors";
import type { CheckResult } from "../tools/define-tool.ts";
import { keepOutput } from "./keep-output.ts";
import { prepareCall, type ToolCall } from "./tool-call.ts";

const WORKER_LOST = "the worker that started it ended before it could report the outcome";

/**
 * @param attempt - Runs the tool. Undefined when its outcome is no longer needed.
 * @returns The outcome to report; undefined when there is nothing left to report.
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
  // A stopping worker returns the step; the next one finds out.
  signal.throwIfAborted();
  const { message, usage } = ended;
  const settled = await settleDoubt(deps, work, { why: message, signal });
  if (settled.kind !== "repeatable") return tell(deps, work, settled, usage);
  const uncertain = settled.isSure ? {} : { uncertain: true };
  const error = { code: "failed", message };
  return { kind: "failed", error, retryable: true, ...uncertain, ...(usage === undefined ? {} : { usage }) };
}

/** Explains why, in a restored system, it is unknown whether the step has acted. */
export function sinceBackup({ restored }: Pick<StepDeps, "restored">): string {
  return `the system was restored from a backup of ${restored?.backupAt ?? "another time"}, and it is not recorded whether the step took effect after that`;
}

/** Records for the ledger that the attempt is no longer needed. */
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

/** How long a target may take to report whether it acted. */
const CHECK_MS = 30_000;

/** How an attempt that runs at most once and may have taken effect is settled: by a check, or by a user's decision. */
type Settled =
  | Outcome
  /** It has not acted, or acting again does no harm. */
  | { readonly kind: "repeatable"; readonly isSure: boolean }
  | { readonly kind: "interrupted"; readonly message: string };

/**
 * Finds out whether the attempt has acted, from a tool whose target drops repeated keys or can be queried.
 *
 * @param why - Why that is not known.
 * @throws The signal's reason when it aborts.
 */
async function settleDoubt(
  deps: StepDeps,
  work: StepWork,
  { why, signal }: { readonly why: string; readonly signal: AbortSignal },
): Promise<Settled> {
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
    const call = await prepareCall(deps, work, { signal: both, model: deps.model });
    if (call.tool.rejectsRepeatedKeys(call.args)) return { kind: "repeatable", isSure: false };
    const checked = await call.tool.check(call.args, call.context);
    return await settledBy(checked, { deps, work, call, why });
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "interrupted", message: messageOf(`${why}; ${describeError(error)}`) };
  }
}

async function settledBy(
  checked: CheckResult,
  {
    deps,
    work,
    call,
    why,
  }: { readonly deps: StepDeps; readonly work: StepWork; readonly call: ToolCall; readonly why: string },
): Promise<Settled> {
  switch (checked.kind) {
    case "done": {
      const output = await keepOutput(deps, work, call.tool.parseOutput(checked.output));
      return { kind: "succeeded", output, artifacts: [] };
    }
    case "not-done":
      return { kind: "repeatable", isSure: true };
    case "unknown":
      return { kind: "interrupted", message: messageOf(why) };
    default:
      return checked satisfies never;
  }
}

function messageOf(text: string): string {
  return text.slice(0, 4_000);
}
