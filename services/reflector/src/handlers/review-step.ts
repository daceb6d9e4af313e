/** Reviews the output of one attempt of a step. */
import { ReviewWork, StepReviewed } from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import { type ModelJob, UnwantedError, type Untraced } from "@planwright/shared/jobs";
import { type HandlerDeps, loadOutputs } from "../load-outputs.ts";
import { stepReviewPrompt } from "../prompts/step-review-prompt.ts";
import { askReviewer, type Findings, reviewOf } from "../replies/findings.ts";

/** A failed review is recorded as such and accepts the output, so that no plan waits for it. */
export function reviewStep(deps: HandlerDeps): ModelJob<Untraced<ReviewWork>, Findings> {
  return {
    Schema: ReviewWork,
    destination: "work.reflect",
    consumer: "reflector",
    attributes: ({ stepId, attempt }) => ({ "step.id": stepId, "step.attempt": attempt }),
    interrupted: "the reflector stopped before the review was complete",
    modelWork: ({ stepId, item, attempt, review }) => ({ kind: "review", stepId, item, attempt, review }),
    tried(plan, { stepId }) {
      const state = plan.steps.get(stepId)?.state;
      return state?.status === "reviewing" ? { tried: state.tries } : {};
    },

    async ask({ work, plan, ...asking }) {
      const entry = plan.steps.get(work.stepId);
      if (entry?.state.status !== "reviewing") throw new UnwantedError("the step is no longer reviewed");
      const { state } = entry;
      const loaded = await loadOutputs(deps.artifacts, plan, [state.output]);
      const about = { plan, entry: { ...entry, state }, loaded };
      return askReviewer("step_review", (issues) => stepReviewPrompt.render({ ...about, issues }), asking);
    },

    async record({ work, trace, ...came }) {
      const { stepId, item, attempt, review } = work;
      const data = { stepId, item, attempt, review, ...reviewOf(came) };
      await appendEvent(deps.publish, StepReviewed.create({ ...work, at: deps.now() }, data), { trace });
      return { "plan.review.verdict": data.verdict };
    },
  };
}
