/** The reply of a reviewer, for all subjects of a review. Approval is a separate field, never a word in a text. */
import type { PlanReviewed } from "@planwright/plan";
import {
  type Asking,
  askForJson,
  type JobResult,
  type JsonAsking,
  readJson,
  type ReadReply,
} from "@planwright/shared/jobs";
import { strictSchemaOf } from "@planwright/shared/model";
import { z } from "zod";

const ISSUES_MAX = 20;
const ISSUE_CHARS_MAX = 1_000;
const SUGGESTION_CHARS_MAX = 4_000;

const RawFindings = z.object({
  approved: z.boolean().describe("Whether it can be used unchanged."),
  score: z.number().describe("How good it is, from 0 to 1."),
  confidence: z.number().nullable().describe("How sure you are of this review, from 0 to 1, or null."),
  issues: z.array(z.string()).describe("What is wrong, one sentence each; empty if approved."),
  suggestion: z.string().nullable().describe("What would make it better, in a sentence or two, or null."),
});

const RawStepFindings = RawFindings.extend({
  replan: z
    .boolean()
    .nullable()
    .describe(
      "True if the output is right and shows that the steps after it no longer make sense; otherwise null.",
    ),
});

const Lenient = RawStepFindings.partial({ confidence: true, suggestion: true, replan: true });

export type Findings = {
  readonly approved: boolean;
  readonly score: number;
  readonly confidence?: number;
  readonly issues: string[];
  readonly suggestion: string;
  readonly replan?: true;
};

/** The schemas of reviews, with names that let the model's server distinguish the calls. */
export const REVIEW_SCHEMAS = {
  step_review: strictSchemaOf(RawStepFindings),
  plan_review: strictSchemaOf(RawFindings),
  answer_review: strictSchemaOf(RawFindings),
} as const;

/** Requests a review; once more if the reply is at fault. */
export function askReviewer(
  name: keyof typeof REVIEW_SCHEMAS,
  render: JsonAsking<Findings>["render"],
  { model, trace, signal }: Pick<Asking<never>, "model" | "trace" | "signal">,
): Promise<Findings> {
  return askForJson(model, { name, schema: REVIEW_SCHEMAS[name], render, read: readFindings, trace, signal });
}

/** Reads a review. A text that only sounds like approval is not one. */
function readFindings(text: string): ReadReply<Findings> {
  return readJson("judgement", Lenient, { text, take: (raw) => ({ issues: [], value: findingsOf(raw) }) });
}

function findingsOf({
  approved,
  score,
  confidence,
  issues,
  suggestion,
  replan,
}: z.output<typeof Lenient>): Findings {
  return {
    approved,
    score: share(score),
    ...(confidence === undefined || confidence === null ? {} : { confidence: share(confidence) }),
    issues: issues.slice(0, ISSUES_MAX).map((issue) => issue.slice(0, ISSUE_CHARS_MAX)),
    suggestion: (suggestion ?? "").slice(0, SUGGESTION_CHARS_MAX),
    ...(replan === true ? { replan } : {}),
  };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

type Verdict = Pick<PlanReviewed["data"], "verdict" | "message" | "cause" | "retryAfterMs">;

/** Returns a review in the form of the log, or why there is none. */
export function reviewOf({
  outcome,
  failure,
  used,
}: Pick<JobResult<never, Findings>, "outcome" | "failure" | "used">) {
  if (outcome !== undefined) {
    const { approved, ...said } = outcome;
    return { verdict: approved ? "accepted" : "rejected", ...said, ...used } as const;
  }
  const { cause = "dead_lettered", ...why } = failure ?? {};
  const verdict: Verdict = {
    verdict: "unjudged",
    cause: cause === "dead_lettered" ? "model_failed" : cause,
    ...why,
  };
  return { ...verdict, ...used };
}
