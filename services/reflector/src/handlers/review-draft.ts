/** Reviews a whole draft: of a plan before it runs, or of an answer before it is given. */
import { AnswerReviewed, CritiqueWork, PlanReviewed } from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import type { ModelJob, ReplyFault, Untraced } from "@planwright/shared/jobs";
import { type HandlerDeps, loadOutputs } from "../load-outputs.ts";
import { answerReviewPrompt } from "../prompts/answer-review-prompt.ts";
import { planReviewPrompt } from "../prompts/plan-review-prompt.ts";
import { askReviewer, type Findings, reviewOf } from "../replies/findings.ts";

/** A failed review is recorded as such and accepts the draft, so that no plan waits for it. */
export function reviewDraft(deps: HandlerDeps): ModelJob<Untraced<CritiqueWork>, Findings> {
  return {
    Schema: CritiqueWork,
    destination: "work.reflect",
    consumer: "reflector",
    attributes: ({ draft }) => ({ "plan.draft": draft }),
    interrupted: "the reflector stopped before the review was complete",
    modelWork: ({ of, draft, review }) => ({ kind: "critique", of, draft, review }),
    tried: ({ critique }) => ({ tried: critique?.tries }),

    async ask({ work, plan, ...asking }) {
      if (work.of === "plan") {
        const render = (issues: readonly ReplyFault[]) => planReviewPrompt.render({ plan, issues });
        return askReviewer("plan_review", render, asking);
      }
      const loaded = await loadOutputs(deps.artifacts, plan);
      const render = (issues: readonly ReplyFault[]) => answerReviewPrompt.render({ plan, loaded, issues });
      return askReviewer("answer_review", render, asking);
    },

    async record({ work, trace, ...came }) {
      const { of, draft, review } = work;
      const data = { draft, review, ...reviewOf(came) };
      const { create } = of === "plan" ? PlanReviewed : AnswerReviewed;
      await appendEvent(deps.publish, create({ ...work, at: deps.now() }, data), { trace });
      return { "plan.review.verdict": data.verdict };
    },
  };
}
