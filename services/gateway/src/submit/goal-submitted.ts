/** The first event of a plan: of every submission, re-run and fork, so that each field of a submission is stored in one way. */
import { EGRESS_DEFAULT, GoalSubmitted, LIMITS, type PlanId, type PlanTrace } from "@planwright/plan";
import type { CheckedSubmission } from "./check-submission.ts";

/** Whose plan it is, and the request that asked for it. */
export type GoalHead = {
  readonly planId: PlanId;
  readonly tenant: string;
  /** The identity of the key that asked; undefined where no keys are set. */
  readonly submittedBy: string | undefined;
  /** Of the request's body. */
  readonly hash: string;
  readonly trace: PlanTrace;
  readonly at: Date;
};

/** Fields that no submission has: they follow from the plan's origin. */
export type GoalOrigin = Pick<
  GoalSubmitted["data"],
  "pastPlans" | "rerunOf" | "fork" | "carried" | "goalTemplate" | "derivedFrom"
>;

/** Returns the event that submits a plan. Empty fields are left out. */
export function goalSubmitted(
  { planId, tenant, submittedBy, hash, trace, at }: GoalHead,
  {
    submission,
    plan,
    budget,
    grants,
    policy,
  }: Pick<CheckedSubmission, "submission" | "plan" | "budget" | "grants" | "policy">,
  origin: GoalOrigin,
): GoalSubmitted {
  const { goal, strategy, constraints, tools, data: sources, input, learn, requireSources } = submission;
  const { approval, startAt, maxReplans, replanOnFailure, review, facts, metadata } = submission;
  const { search, program, planSize, priority } = submission;
  return GoalSubmitted.create(
    { planId, at },
    {
      goal,
      tenant,
      strategy,
      grants,
      constraints,
      approval,
      unapprovedStepsMax: LIMITS.unapprovedStepsMax,
      maxReplans,
      facts,
      metadata,
      bodyHash: hash,
      trace,
      ...(policy === undefined ? {} : { policy }),
      egress: policy?.egress ?? EGRESS_DEFAULT,
      ...(submittedBy === undefined ? {} : { submittedBy }),
      ...(replanOnFailure ? { replanOnFailure } : {}),
      ...(requireSources ? { requireSources } : {}),
      ...(review === undefined ? {} : { review }),
      ...(plan === undefined ? {} : { plan }),
      ...(budget === undefined ? {} : { budget }),
      ...(search === undefined ? {} : { search }),
      ...(program === undefined ? {} : { program }),
      ...(planSize === undefined ? {} : { planSize }),
      ...(priority === undefined ? {} : { priority }),
      ...(tools === undefined ? {} : { tools }),
      ...(sources === undefined ? {} : { sources }),
      ...(startAt === undefined ? {} : { startAt: new Date(startAt).toISOString() }),
      ...(input === undefined
        ? {}
        : { inputCut: { chunkChars: input.chunkChars, groupSize: input.groupSize } }),
      ...(learn ? {} : { learn }),
      ...origin,
    },
  );
}
