/** One review of a whole draft, from its message to the log. */
import { AnswerReviewed, type CritiqueWork, isEnded, type KnownPlan, PlanReviewed } from "@planwright/plan";
import { type Bus, readPlan } from "@planwright/shared/bus";
import type { RenderedPrompt } from "@planwright/shared/prompt";
import type { WorkContext } from "@planwright/shared/queue";
import { givenUp, type Judgement, runCritique } from "../critique/run-critique.ts";
import { loadArtifacts, outputsOf } from "../judge/load-artifacts.ts";
import type { JoinDeps, ReflectorDeps } from "../start-reflector.ts";
import { answerReviewPrompt } from "./answer-review-prompt.ts";
import { planReviewPrompt } from "./plan-review-prompt.ts";
import { recordJudgement, type RecordDeps } from "./record-judgement.ts";

type Draft = Pick<CritiqueWork, "planId" | "of" | "draft" | "review">;

/**
 * Judges a draft, if the plan still waits for it.
 *
 * @throws The signal's reason when the worker stops.
 */
export async function reviewDraft(deps: JoinDeps, work: CritiqueWork, context: WorkContext): Promise<void> {
  const { of, draft, review } = work;
  await runCritique<KnownPlan>(deps, work, {
    context,
    critiquing: {
      name: `${of}_review`,
      attributes: { "plan.draft": draft },
      modelWork: { kind: "critique", of, draft, review },
      tried: ({ critique }) => critique?.tries,
      read: () => readWanted(deps.bus, work),
      prompt: (plan) => promptOf(deps, plan, of),
      record: (judgement, span) => record({ ...deps, span }, work, judgement),
    },
  });
}

async function promptOf(
  { artifacts }: Pick<ReflectorDeps, "artifacts">,
  plan: KnownPlan,
  of: CritiqueWork["of"],
): Promise<(faults: readonly string[]) => RenderedPrompt> {
  if (of === "plan") return (faults) => planReviewPrompt.render({ plan, faults });
  const loaded = await loadArtifacts(artifacts, plan, outputsOf(plan));
  return (faults) => answerReviewPrompt.render({ plan, loaded, faults });
}

/** Lets the draft pass, so that no plan waits for a review that will never come. */
export async function giveUpDraftReview(
  deps: Pick<ReflectorDeps, "publish" | "now">,
  work: Draft & Pick<CritiqueWork, "allowance">,
  message: string,
): Promise<void> {
  await record(deps, work, givenUp(work.allowance, message));
}

async function readWanted(bus: Bus, { planId, of, draft, review }: Draft): Promise<KnownPlan | undefined> {
  const plan = await readPlan(bus, planId);
  if (plan === undefined || isEnded(plan)) return undefined;
  const { critique } = plan;
  return critique?.of === of && critique.draft === draft && critique.review === review ? plan : undefined;
}

async function record(
  deps: RecordDeps,
  { planId, of, draft, review }: Draft,
  judgement: Judgement,
): Promise<void> {
  const { create } = of === "plan" ? PlanReviewed : AnswerReviewed;
  await recordJudgement(deps, create({ planId, at: deps.now() }, { draft, review, ...judgement }));
}
