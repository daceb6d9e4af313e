/**
 * Runs a unit: several light steps of a plan, as a small graph.
 *
 * Invariants:
 *   RUNUNIT-1. When a unit's message is acknowledged, each of its steps has an outcome in the log, depends on a failed step,
 *       or has been returned.
 *   RUNUNIT-2. Of two workers with the same unit, only one adds to the log: each message expects to be the next of the unit.
 *   RUNUNIT-3. A unit starts no step after its time is up or after a hint that the plan may have stopped.
 *   RUNUNIT-4. If a step takes longer than a unit can start steps, its tool is no longer announced as light.
 */
import { type StepWork, UnitClosed, UnitCourse, type UnitWork, workOfUnit } from "@planwright/plan";
import type { WorkContext } from "@planwright/shared/queue";
import { processSpan, type TraceParent, withSpan } from "@planwright/shared/telemetry";
import { attemptStep } from "./run-step.ts";
import { outcomeReport, startReport } from "./report.ts";
import type { ToolWatch } from "./run-tool.ts";
import { SlowSteps } from "./slow-steps.ts";
import type { StepDeps } from "./step-deps.ts";
import { readUnit, UnitLog } from "./unit-log.ts";

/**
 * How long a unit can start steps, in milliseconds: the rest then queues again behind the work of other plans. If one step takes
 * longer, its tool is not light.
 */
export const UNIT_MS_MAX = 50;
/** Maximum number of concurrent steps of a unit. */
const AT_ONCE = 16;
/** After this many deliveries, the unit is taken apart, so that a step that kills its worker is lost alone. */
const DELIVERIES_MAX = 2;

type Closing = UnitClosed["data"]["because"];

export async function runUnit(deps: StepDeps, work: UnitWork, context: WorkContext): Promise<void> {
  const { deliveries } = context;
  const isNew = deliveries === 1 && !deps.stops.wasHinted(work.planId);
  const unit = isNew ? { work, last: 0 } : await whatIsLeft(deps, work);
  if (unit === undefined) return;
  const span = processSpan(deps.telemetry, context.trace, {
    destination: "work.step",
    subject: context.subject,
    deliveries,
    attributes: {
      "plan.id": work.planId,
      "worker.id": deps.workerId,
      "messaging.batch.message_count": unit.work.steps.length,
    },
  });
  await withSpan(span, async () => {
    const unitMs = deps.unitMs ?? UNIT_MS_MAX;
    const reason = `a step took longer than ${unitMs} ms`;
    using slow = new SlowSteps({ mostMs: unitMs, onSlow: (tool) => deps.lightTools.withdraw(tool, reason) });
    const log = new UnitLog(deps, unit.work, { last: unit.last, trace: span.ids });
    const run = new UnitRun(deps, unit.work, { context, trace: span.ids, log, slow, unitMs });
    try {
      if (deliveries > DELIVERIES_MAX) run.close("lost");
      else await run.finish();
    } finally {
      await log.flush();
    }
  });
}

/** Returns all remaining steps of a unit that no worker can run. */
export async function returnUnit(
  deps: StepDeps,
  named: Pick<UnitWork, "planId" | "unit" | "pool">,
  writer: string,
): Promise<void> {
  const { plan, last } = await readUnit(deps.bus, named);
  if (plan?.units.has(named.unit) !== true) return;
  const log = new UnitLog(deps, named, { last });
  log.add(closed(deps, named, { because: "lost", kept: [], writer }));
  await log.flush();
}

/** The steps that earlier workers left of a unit, and the last message about it; undefined when none are left. */
async function whatIsLeft(
  deps: StepDeps,
  work: UnitWork,
): Promise<{ readonly work: UnitWork; readonly last: number } | undefined> {
  const { plan, last } = await readUnit(deps.bus, work);
  const left = plan === undefined ? undefined : workOfUnit(plan, work.unit);
  return left === undefined ? undefined : { work: { ...left, after: work.after }, last };
}

type UnitOptions = {
  readonly context: WorkContext;
  readonly trace: TraceParent;
  readonly log: UnitLog;
  readonly slow: SlowSteps;
  readonly unitMs: number;
};

class UnitRun {
  readonly #deps: StepDeps;
  readonly #work: UnitWork;
  readonly #options: UnitOptions;
  readonly #course: UnitCourse;
  readonly #running = new Set<string>();
  #hasChanged = Promise.withResolvers<void>();
  #fault: Error | undefined;
  #closing: Closing | undefined;
  #isClosed = false;

  constructor(deps: StepDeps, work: UnitWork, options: UnitOptions) {
    this.#deps = deps;
    this.#work = work;
    this.#options = options;
    this.#course = new UnitCourse(work);
  }

  /** Runs the steps until none is left or no more can start. Returns the remaining ones. */
  async finish(): Promise<void> {
    const { planId } = this.#work;
    const { context, unitMs } = this.#options;
    const { signal } = context;
    using _hints = this.#deps.stops.watchHints(planId, () => this.#stop("stop"));
    const onStopping = (): void => this.#stop("stop");
    signal.addEventListener("abort", onStopping, { once: true });
    const timer = setTimeout(() => this.#stop("time"), unitMs);
    const startedMs = performance.now();
    try {
      for (;;) {
        this.#start(startedMs);
        if (this.#running.size === 0) break;
        if (this.#closing !== undefined && this.#course.isLeft) this.close(this.#closing);
        await this.#hasChanged.promise;
        this.#hasChanged = Promise.withResolvers();
      }
      // The remaining steps depend on a failed step, cannot be resolved, or were not to start any more.
      if (this.#course.isLeft) this.close(this.#closing ?? "stop");
      if (this.#fault !== undefined) throw this.#fault;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onStopping);
    }
  }

  /** Returns the steps that are not running. Only has an effect once; the steps that it keeps are waited for. */
  close(because: Closing): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { context, log } = this.#options;
    const writer = `${this.#deps.workerId}/${context.sequence}/${context.deliveries}`;
    log.add(closed(this.#deps, this.#work, { because, kept: [...this.#running], writer }));
  }

  #stop(why: Closing): void {
    this.#closing ??= why;
    this.#hasChanged.resolve();
  }

  #start(startedMs: number): void {
    while (this.#running.size < AT_ONCE) {
      // A tool may have kept the timer from firing.
      if (performance.now() - startedMs >= this.#options.unitMs) this.#closing ??= "time";
      const step = this.#closing === undefined ? this.#course.take() : undefined;
      if (step === undefined) return;
      void this.#keep(step);
    }
  }

  async #keep(step: StepWork): Promise<void> {
    this.#running.add(step.stepId);
    try {
      await this.#run(step);
    } catch (error) {
      this.#fault ??= error instanceof Error ? error : new Error(String(error));
      this.#stop("stop");
    } finally {
      this.#running.delete(step.stepId);
      this.#hasChanged.resolve();
    }
  }

  async #run(step: StepWork): Promise<void> {
    const { context, trace, log, slow } = this.#options;
    const startedAt = this.#deps.now();
    const showStart = (): void => log.add(startReport(this.#deps, step, context));
    const watch: ToolWatch = (call) => slow.run(step.tool, call);
    const outcome = await attemptStep(this.#deps, step, { context, trace, showStart, watch });
    // The outcome of a read-only step is never in doubt.
    if (outcome === undefined || outcome.kind === "in-doubt") return;
    log.add(outcomeReport(this.#deps, step, { outcome, startedAt }));
    if (outcome.kind !== "succeeded") return;
    this.#course.succeeded(step.stepId, outcome.output);
    // A revision may drop every step after the one that requests it.
    if (outcome.replan !== undefined) this.#stop("stop");
  }
}

function closed(
  { workerId, now }: Pick<StepDeps, "workerId" | "now">,
  work: Pick<UnitWork, "planId" | "unit" | "pool"> & Pick<Partial<UnitWork>, "after">,
  { because, kept, writer }: { because: Closing; kept: string[]; writer: string },
): UnitClosed {
  const { planId, unit, pool, after } = work;
  return UnitClosed.create({ planId, after, at: now() }, { unit, pool, workerId, because, kept }, writer);
}
