/** The public view of a step. */
import { z } from "zod";
import { definedOnly, type Optional } from "../values/defined-only.ts";
import { ToolGrant } from "../events/values.ts";
import { PlanId, StepId } from "../values/ids.ts";
import { ItemView, itemViews, turnViews, TurnView } from "./item-view.ts";
import { Step } from "../language/plan-language.ts";
import { ranDetailsOf, RunView } from "./run-view.ts";
import { sentStatus } from "./shown-status.ts";
import type { KnownPlan, StepEntry, StepState } from "../machine/plan-state.ts";
import { isShownWhole } from "../machine/ending/answer-from.ts";
import { Findings, Verdict } from "../events/review-events.ts";
import type { AnswerCritiqueRecord, CritiqueRecord } from "../machine/review/critique-state.ts";
import type { ReviewRecord } from "../machine/review/review-state.ts";

/** The public view of a review of a step's output. */
export const ReviewView = z.object({
  attempt: z.int().meta({ description: "The attempt whose output was reviewed." }),
  verdict: Verdict,
  ...Findings,
  message: z.string().optional().meta({ description: "Why the review was not possible." }),
});
export type ReviewView = z.infer<typeof ReviewView>;

export function reviewView({ issues, ...about }: ReviewRecord): ReviewView {
  return definedOnly<ReviewView>({ ...about, issues: [...issues] });
}

/** The public view of a review of a whole draft. */
export const CritiqueView = ReviewView.omit({ attempt: true }).extend({
  draft: z.int().meta({ description: "The draft that was reviewed." }),
  at: z.string(),
});
export type CritiqueView = z.infer<typeof CritiqueView>;

export function critiqueView({ issues, ...about }: CritiqueRecord): CritiqueView {
  return definedOnly<CritiqueView>({ ...about, issues: [...issues] });
}

/** The public view of a review of a draft of the answer. */
export const AnswerReviewView = CritiqueView.extend({
  text: z.string().meta({ description: "The start of the reviewed text." }),
});
export type AnswerReviewView = z.infer<typeof AnswerReviewView>;

export function answerReviewView({ issues, ...about }: AnswerCritiqueRecord): AnswerReviewView {
  return definedOnly<AnswerReviewView>({ ...about, issues: [...issues] });
}

export const StepStatusName = z.enum([
  "waiting",
  "awaiting-approval",
  "queued",
  "running",
  "reviewing",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
]);

export const StepView = z.object({
  ...Step.shape,
  grant: ToolGrant,
  draft: z.int().meta({ description: "The draft that contains the step; 0 for a submitted plan." }),
  child: PlanId.optional().meta({
    description: "The sub-plan that the latest attempt started.",
  }),
  carried: z.literal(true).optional().meta({
    description: "The step succeeded in the plan that this one was forked from, and does not run here.",
  }),
  status: StepStatusName,
  waitingFor: z
    .enum([
      "dependencies",
      "primary",
      "condition",
      "items",
      "draft",
      "approval",
      "capacity",
      "retry",
      "budget",
      "start",
      "resume",
    ])
    .optional()
    .meta({ description: "Why a waiting step has not started." }),
  ...RunView.shape,
  replacedBy: StepId.optional().meta({
    description:
      "The fallback that succeeded instead. References to this step resolve to the output of the fallback.",
  }),
  verifiedBy: z.array(StepId).optional().meta({ description: "The steps that verify this step." }),
  reviews: z
    .array(ReviewView)
    .optional()
    .meta({ description: "Reviews of the step's outputs, oldest first; absent if there are none." }),
  turns: z.array(TurnView).optional().meta({
    description:
      "For a step that works in a loop: the model's reasoning, calls and results, call by call. Calls in one turn have the same `turn`.",
  }),
  reason: z.string().optional().meta({ description: "Why the step was skipped or cancelled." }),
  notNeeded: z.literal(true).optional().meta({ description: "The step was not needed." }),
  items: z.array(ItemView).optional().meta({
    description:
      "For a step with `forEach`: its runs, in the order of the list; absent until the list is known.",
  }),
  failedItems: z
    .int()
    .positive()
    .optional()
    .meta({ description: "The number of items that failed; the results of the others are available." }),
  partial: z
    .string()
    .optional()
    .meta({ description: "Why the output is incomplete; absent if it is complete." }),
});
export type StepView = z.infer<typeof StepView>;

export function stepView(plan: KnownPlan, entry: StepEntry): StepView {
  const { step, grant, draft, subPlan, carried, state, failedAttempts, reviews } = entry;
  const { standIn, verifiedBy } = entry;
  const items = itemViews(plan, entry);
  return definedOnly<StepView>({
    ...step,
    grant,
    draft,
    child: subPlan,
    carried,
    status: statusOf(state, items),
    items,
    attempt: "attempt" in state ? state.attempt : failedAttempts.length,
    failedAttempts: [...failedAttempts],
    replacedBy: typeof standIn === "object" ? standIn.by : undefined,
    verifiedBy: verifiedBy === undefined ? undefined : [...verifiedBy],
    reviews: reviews?.map(reviewView),
    turns: turnViews(entry),
    ...detailsOf(state),
    ...(isShownWhole(entry) ? {} : { output: undefined }),
  });
}

function statusOf(state: StepState, items: readonly ItemView[] | undefined): StepView["status"] {
  if (state.status === "running") return sentStatus(state);
  if (state.status !== "repeating") return state.status;
  return items?.some(hasBegun) === false && items.some(({ status }) => status === "queued")
    ? "queued"
    : "running";
}

function hasBegun({ startedAt, failedAttempts }: ItemView): boolean {
  return startedAt !== undefined || failedAttempts.length > 0;
}

function detailsOf(state: StepState): Optional<StepView> {
  switch (state.status) {
    case "awaiting-approval":
      return state.about.kind === "outcome-unknown" ? { startedAt: state.about.startedAt } : {};
    case "waiting":
      // Only items wait for a turn.
      return { waitingFor: state.for === "turn" ? undefined : state.for };
    case "repeating":
      return { startedAt: state.startedAt, failedItems: state.failed || undefined };
    case "succeeded":
      return {
        ...ranDetailsOf(state),
        failedItems: state.failedItems || undefined,
        partial: state.partial,
      };
    case "running":
    case "reviewing":
    case "failed":
      return ranDetailsOf(state);
    case "skipped":
      return { reason: state.reason, notNeeded: state.passedOver };
    case "cancelled":
      return { reason: state.reason };
    default:
      state satisfies never;
      return {};
  }
}
