/** One review of one step, from its message to the result in the log. */
import {
  evolve,
  incompletenessOf,
  isEnded,
  type KnownPlan,
  type ModelWork,
  noPlan,
  type Plan,
  resolveArguments,
  type ReviewWork,
  type StepEntry,
  StepReviewed,
  type StepState,
} from "@planwright/plan";
import { type Bus, readPlanEvents } from "@planwright/shared/bus";
import type { WorkContext } from "@planwright/shared/queue";
import { givenUp, type Judgement, runCritique } from "../critique/run-critique.ts";
import { loadArtifacts } from "../judge/load-artifacts.ts";
import type { JoinDeps, ReflectorDeps } from "../start-reflector.ts";
import { recordJudgement, type RecordDeps } from "./record-judgement.ts";
import { stepReviewPrompt } from "./step-review-prompt.ts";

type Wanted = {
  readonly plan: KnownPlan;
  readonly entry: StepEntry & { readonly state: Extract<StepState, { status: "reviewing" }> };
};
type Run = Pick<ReviewWork, "planId" | "stepId" | "item" | "attempt" | "review">;

/**
 * Judges what a step has delivered, if the plan still waits for it.
 *
 * @throws The signal's reason when the worker stops.
 */
export async function reviewStep(deps: JoinDeps, work: ReviewWork, context: WorkContext): Promise<void> {
  await runCritique<Wanted>(deps, work, {
    context,
    critiquing: {
      name: "step_review",
      attributes: { "step.id": work.stepId, "step.attempt": work.attempt },
      modelWork: modelWorkOf(work),
      tried: ({ entry }) => entry.state.tries,
      read: () => readWanted(deps.bus, work),
      async prompt(wanted) {
        const input = await inputOf(deps, wanted);
        return (faults) => stepReviewPrompt.render({ ...input, faults });
      },
      record: (judgement, span) => record({ ...deps, span }, work, judgement),
    },
  });
}

function modelWorkOf({ stepId, item, attempt, review }: Run): ModelWork {
  return { kind: "review", stepId, item, attempt, review };
}

/** Accepts the output, so that no plan waits for a review that will never come. */
export async function giveUpReview(
  deps: Pick<ReflectorDeps, "publish" | "now">,
  work: Run & Pick<ReviewWork, "allowance">,
  message: string,
): Promise<void> {
  await record(deps, work, givenUp(work.allowance, message));
}

async function inputOf(deps: ReflectorDeps, { plan, entry }: Wanted) {
  const { step, state } = entry;
  const resolved = resolveArguments(plan, step);
  const args = "args" in resolved ? resolved.args : step.args;
  const common = { goal: plan.goal, endedAt: state.endedAt, step, args, incomplete: incompletenessOf(entry) };
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
  deps: RecordDeps,
  { planId, stepId, item, attempt, review }: Run,
  judgement: Judgement,
): Promise<void> {
  const data = { stepId, item, attempt, review, ...judgement };
  await recordJudgement(deps, StepReviewed.create({ planId, at: deps.now() }, data));
}
