/** One review of one step, from its message to the judgement in the log. */
import {
  evolve,
  type Forfeit,
  isEnded,
  type KnownPlan,
  NO_USAGE,
  noPlan,
  type Plan,
  resolveArguments,
  type ReviewWork,
  type StepEntry,
  StepReviewed,
  type StepState,
  type Usage,
  wholeOf,
} from "@planwright/plan";
import { type Bus, ConflictError, factSubject, readPlanEvents } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import { SpendingMeter } from "@planwright/shared/model";
import type { WorkContext } from "@planwright/shared/queue";
import {
  processSpan,
  renderTraceParent,
  type Span,
  TRACEPARENT,
  withSpan,
} from "@planwright/shared/telemetry";
import { abortWhenUnwanted } from "../abort-when-unwanted.ts";
import { askCritic, type Critique } from "../critique/ask-critic.ts";
import { loadArtifacts } from "../judge/load-artifacts.ts";
import type { JoinDeps, ReflectorDeps } from "../start-reflector.ts";
import { stepReviewPrompt } from "./step-review-prompt.ts";

type Wanted = {
  readonly plan: KnownPlan;
  readonly entry: StepEntry & { readonly state: Extract<StepState, { status: "reviewing" }> };
};
type Run = Pick<ReviewWork, "planId" | "stepId" | "item" | "attempt" | "review">;
type Judgement = Omit<
  StepReviewed["data"],
  "stepId" | "item" | "attempt" | "review" | "issues" | "suggestion"
> &
  Partial<Pick<StepReviewed["data"], "issues" | "suggestion">>;

/**
 * Judges what a step has delivered, if the plan still waits for it.
 *
 * @throws {TransientError} When the model cannot be reached now.
 * @throws The signal's reason when the worker stops.
 */
export async function reviewStep(deps: JoinDeps, work: ReviewWork, context: WorkContext): Promise<void> {
  const { planId, stepId, attempt } = work;
  const span = processSpan(deps.telemetry, context.trace ?? work.trace, {
    destination: "work.reflect",
    subject: context.subject,
    consumer: "reflector",
    deliveries: context.deliveries,
    attributes: { "plan.id": planId, "step.id": stepId, "step.attempt": attempt, "worker.id": deps.workerId },
  });
  await withSpan(span, async () => {
    const wanted = await readWanted(deps.bus, work);
    if (wanted === undefined) return;
    if (work.allowance !== undefined && context.deliveries > 1) {
      // What the reflector before this one used of it nobody has counted.
      await record(deps, work, { ...lost("interrupted"), forfeited: wholeOf(work.allowance) });
      return;
    }
    await judgeOutput(deps, work, { wanted, signal: context.signal, span });
  });
}

/** Takes the output as it is, so that no plan waits for a judgement that will never come. */
export async function giveUpReview(
  deps: Pick<ReflectorDeps, "publish" | "now">,
  work: Run & Pick<ReviewWork, "allowance">,
  message: string,
): Promise<void> {
  const forfeited = work.allowance === undefined ? {} : { forfeited: wholeOf(work.allowance) };
  const data = { verdict: "unjudged", cause: "model_failed", message: message.slice(0, 2_000) } as const;
  await record(deps, work, { ...data, usage: NO_USAGE, ...forfeited });
}

async function judgeOutput(
  deps: JoinDeps,
  work: ReviewWork,
  { wanted, signal, span }: { readonly wanted: Wanted; readonly signal: AbortSignal; readonly span: Span },
): Promise<void> {
  const unwanted = new AbortController();
  const isWanted = async () => (await readWanted(deps.bus, work)) !== undefined;
  using _hints = abortWhenUnwanted(deps, work.planId, { isWanted, unwanted });
  const meter = new SpendingMeter(deps.model, { allowance: work.allowance });
  const metered = (usage: Usage): { usage: Usage; forfeited?: Forfeit } => {
    meter.close();
    return work.allowance === undefined ? { usage } : meter.report();
  };
  try {
    const input = await inputOf(deps, wanted);
    const critique = await askCritic(meter.model, {
      name: "step_review",
      render: (faults) => stepReviewPrompt.render({ ...input, faults }),
      trace: span.ids,
      signal: AbortSignal.any([signal, unwanted.signal]),
    });
    const judgement = judgementOf(critique, meter.isSpent);
    await record({ ...deps, span }, work, { ...judgement, ...metered(critique.usage) });
    span.setAttributes({ "step.review.verdict": judgement.verdict });
  } catch (error) {
    if (unwanted.signal.aborted) return;
    if (work.allowance === undefined) throw error;
    // Whoever tried again with this allowance could not know what is left of it.
    const message = describeError(error).slice(0, 2_000);
    await record(deps, work, { ...lost("interrupted"), message, ...metered(NO_USAGE) });
  }
}

function judgementOf(critique: Critique, isSpent: boolean): Judgement {
  if (critique.kind === "unjudged") {
    const { cause, message, usage } = critique;
    return { verdict: "unjudged", cause: isSpent ? "allowance_spent" : cause, message, usage };
  }
  const { approved, ...said } = critique.findings;
  return { verdict: approved ? "accepted" : "rejected", ...said, usage: critique.usage };
}

function lost(cause: "interrupted") {
  const message = "the reflector that judged it stopped before it was done";
  return { verdict: "unjudged", cause, message, usage: NO_USAGE } as const;
}

async function inputOf(deps: ReflectorDeps, { plan, entry }: Wanted) {
  const { step, state } = entry;
  const resolved = resolveArguments(plan, step);
  const args = "args" in resolved ? resolved.args : step.args;
  const common = { goal: plan.goal.goal, step, args };
  if ("value" in state.output) return { ...common, output: state.output.value };
  const { artifact, preview } = state.output;
  const loaded = await loadArtifacts(deps.artifacts, plan, [state.output]);
  const content = loaded.get(artifact.name);
  return content === undefined
    ? { ...common, output: preview, note: `only the start of ${artifact.bytes} bytes is shown` }
    : { ...common, output: content };
}

async function readWanted(bus: Bus, { planId, stepId, attempt, review }: Run): Promise<Wanted | undefined> {
  let plan: Plan = noPlan;
  for await (const { event } of readPlanEvents(bus, planId)) plan = evolve(plan, event);
  if (plan.status === "absent" || isEnded(plan)) return undefined;
  const entry = plan.steps.get(stepId);
  if (entry?.state.status !== "reviewing") return undefined;
  const { state } = entry;
  return state.attempt === attempt && state.review === review
    ? { plan, entry: { ...entry, state } }
    : undefined;
}

async function record(
  { publish, now, span }: Pick<ReflectorDeps, "publish" | "now"> & { readonly span?: Span },
  { planId, stepId, item, attempt, review }: Run,
  judgement: Judgement,
): Promise<void> {
  const event = StepReviewed.parse({
    id: `${planId}/${stepId}/${item}/${attempt}/review/${review}/done`,
    type: "step.reviewed",
    planId,
    at: now().toISOString(),
    data: { stepId, item, attempt, review, ...judgement },
  });
  const headers = span === undefined ? {} : { [TRACEPARENT]: renderTraceParent(span.ids) };
  try {
    await publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 }, headers });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
}
