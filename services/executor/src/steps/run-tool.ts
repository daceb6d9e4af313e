/** Runs a step's tool on its arguments and converts the result or error to an outcome. */
import {
  ALLOWANCE_SPENT,
  effectKey,
  type ModelTries,
  NO_USAGE,
  type StepWork,
  UnresolvedReferenceError,
  type Usage,
} from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { reportTries, type WorkStops } from "@planwright/shared/jobs";
import { ModelPatience, ModelUnavailableError, SpendingMeter } from "@planwright/shared/model";
import { type TraceParent, withSpan } from "@planwright/shared/telemetry";
import { CallAskedError } from "./gate-call.ts";
import { saysNothingDone } from "../not-done-error.ts";
import { keepOutput } from "./keep-output.ts";
import type { Outcome } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";
import { prepareCall } from "./tool-call.ts";

/** A tool that runs at most once has failed and may have taken effect. */
export type Doubt = {
  readonly kind: "in-doubt";
  readonly message: string;
  readonly usage?: Usage | undefined;
};

type Running = {
  readonly stop: Pick<AttemptSignal, "signal" | "cause">;
  readonly trace: TraceParent;
  /** How often the attempt was delivered, including this time; default 1. */
  readonly deliveries?: number;
  /** When the attempt's work message was stored; prompts state this date. */
  readonly storedAt?: Date;
  /** Makes the tool's call; by default it is made directly. */
  readonly watch?: ToolWatch | undefined;
};

/** Makes a tool call, and can watch it. */
export type ToolWatch = (call: () => Promise<unknown>) => Promise<unknown>;

/** Never throws: a tool's failure is an outcome that the plan records. */
export async function runTool(
  deps: StepDeps,
  work: StepWork,
  { stop, trace, deliveries = 1, storedAt, watch = (call) => call() }: Running,
): Promise<Outcome | Doubt> {
  const span = deps.telemetry.spanFrom(trace, `execute_tool ${work.tool}`, {
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": work.tool,
      "gen_ai.tool.call.id": effectKey(work, work.attempt),
      "plan.id": work.planId,
      "step.id": work.stepId,
      "step.attempt": work.attempt,
    },
  });
  const { signal } = stop;
  const patience = patienceOf(deps, work, deliveries);
  const meter = new SpendingMeter(deps.model, { allowance: work.allowance, trace: span.ids, patience });
  let hasBegun = false;
  try {
    return await withSpan(span, async () => {
      const call = await prepareCall(deps, work, { signal, model: meter.model, trace: span.ids, storedAt });
      const { tool, args, context, workspace, facts, replan, reused, truncated } = call;
      signal.throwIfAborted();
      hasBegun = true;
      const output = await abortable(
        watch(() => tool.run(args, context)),
        signal,
      );
      const kept = await keepOutput(deps, work, output);
      const reason = replan();
      if (reused()) span.setAttributes({ "step.reused": true });
      return {
        kind: "succeeded",
        output: kept,
        artifacts: [...workspace.written()],
        facts: facts().length === 0 ? undefined : [...facts()],
        replan: reason === undefined ? undefined : { reason },
        reused: reused() || undefined,
        truncated: truncated() || undefined,
        ...usageOf(meter),
      };
    });
  } catch (error) {
    if (error instanceof CallAskedError) {
      const { call } = error;
      if (call.doubt !== undefined) {
        deps.log.warn(
          { planId: work.planId, stepId: work.stepId, tool: call.tool },
          "a user has to decide whether a call of a loop took effect",
        );
      }
      return { kind: "asked", call, ...usageOf(meter) };
    }
    const failure = { ...failureOf(error, stop.cause, work), ...triesOf(error, patience) };
    if (work.effect === "once" && hasBegun && !saysNothingDone(error)) {
      return { kind: "in-doubt", message: failure.error.message, ...usageOf(meter) };
    }
    if (!meter.isSpent) return { ...failure, ...usageOf(meter) };
    // Regardless of the tool's own error: another attempt may have a larger allowance.
    const spent = { ...failure.error, code: ALLOWANCE_SPENT };
    return { ...failure, error: spent, retryable: true, ...usageOf(meter) };
  }
}

function patienceOf(deps: StepDeps, work: StepWork, deliveries: number): ModelPatience {
  const { stepId, item, attempt, unit, pool, tried } = work;
  // A compensation is not among the steps that a plan shows.
  if (work.undo === true) return new ModelPatience({ deliveries });
  const run = { kind: "step", stepId, item, attempt, pool, ...(unit === undefined ? {} : { unit }) } as const;
  return new ModelPatience({ tried, deliveries, onFailure: reportTries(deps, work, run) });
}

/** The attempt's calls to a failed model server, for the next attempt. */
function triesOf(error: unknown, { tried }: ModelPatience): { modelTries?: ModelTries } {
  return error instanceof TransientError && tried !== undefined ? { modelTries: tried } : {};
}

/** The run's usage; it cannot use more afterwards, even if its tool continues. */
function usageOf(meter: SpendingMeter): Pick<Outcome, "usage" | "forfeited"> {
  meter.close();
  const { usage, forfeited } = meter.report();
  return { usage: usage.modelCalls === NO_USAGE.modelCalls ? undefined : usage, forfeited };
}

function failureOf(
  error: unknown,
  cause: StopCause | undefined,
  { timeoutMs }: StepWork,
): Outcome & { kind: "failed" } {
  if (cause === "timeout") {
    const message = `did not end within ${timeoutMs} ms`;
    return { kind: "failed", error: { code: "timeout", message }, retryable: true };
  }
  const message = describeError(error).slice(0, 4_000);
  if (error instanceof PermanentError) {
    const asked = error instanceof ModelUnavailableError ? error.retryAfterMs : undefined;
    return { kind: "failed", error: { code: error.code, message }, retryable: false, retryAfterMs: asked };
  }
  if (error instanceof UnresolvedReferenceError) {
    return { kind: "failed", error: { code: "unresolved_reference", message }, retryable: false };
  }
  const retryAfterMs = error instanceof TransientError ? error.retryAfterMs : undefined;
  return { kind: "failed", error: { code: "failed", message }, retryable: true, retryAfterMs };
}

/** A tool that ignores its signal is abandoned; a later result is ignored. */
function abortable<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const isOver = (): void => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort, { once: true });
    running.then(resolve, reject).finally(isOver);
    if (signal.aborted) onAbort();
  });
}

/** Why an attempt was stopped. */
export type StopCause = "timeout" | "unwanted" | "worker-stops";

export type AttemptSignal = Disposable & {
  readonly signal: AbortSignal;
  /** The first cause; absent while there is none. */
  readonly cause: StopCause | undefined;
};

/**
 * The signal of one attempt: aborts when it times out, when it is no longer needed, or when its worker stops.
 *
 * Uses one controller instead of an `AbortSignal.any` of three: its weak references and finalizers would cost more than the steps
 * at thousands of steps per second.
 *
 * @param options.stopping - Aborts when the worker has to stop.
 */
export function attemptSignal(
  work: StepWork,
  { stops, stopping }: { readonly stops: Pick<WorkStops, "watch">; readonly stopping: AbortSignal },
): AttemptSignal {
  const controller = new AbortController();
  let cause: StopCause | undefined;
  const abort = (why: StopCause, reason: unknown): void => {
    cause ??= why;
    controller.abort(reason);
  };
  const onTimeout = (): void =>
    abort("timeout", new DOMException(`the step's ${work.timeoutMs} ms have passed`, "TimeoutError"));
  const onUnwanted = (): void =>
    abort("unwanted", new DOMException("the step is no longer wanted", "AbortError"));
  const onStopping = (): void => abort("worker-stops", stopping.reason);

  const timer = setTimeout(onTimeout, work.timeoutMs);
  const stop = stops.watch(work, onUnwanted);
  if (stopping.aborted) onStopping();
  else stopping.addEventListener("abort", onStopping, { once: true });
  return {
    signal: controller.signal,
    get cause() {
      return cause;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      stop[Symbol.dispose]();
      stopping.removeEventListener("abort", onStopping);
    },
  };
}
