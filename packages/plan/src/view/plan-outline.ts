/** A plan's summary for lists and searches; it remains in the log once the plan is archived. */
import { z } from "zod";
import { AnswerStatus, Outcome, Usage } from "../events/values.ts";
import { figuresOf, plannedBy, PlanFigures, PlannedBy } from "./plan-figures.ts";
import { PlanId } from "../values/ids.ts";
import { JsonObject } from "../values/json.ts";
import { lessonOf } from "../draft/lesson-of.ts";
import { Lesson } from "../draft/past-plan.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

export const PlanOutline = z.object({
  tenant: z.string(),
  goal: z.string(),
  metadata: JsonObject,
  /** The parent plan, if it is a sub-plan. */
  parent: PlanId.optional(),
  /** The identity of the key that submitted it; absent if no keys are set. */
  submittedBy: z.string().optional(),
  status: z.string(),
  /** How it was created, as far as this is known. */
  strategy: PlannedBy,
  /** Absent until the plan has ended. */
  outcome: Outcome.optional(),
  /** The status of the answer; absent while there is none. */
  answerStatus: AnswerStatus.optional(),
  submittedAt: z.string(),
  endedAt: z.string().optional(),
  done: z.int().nonnegative(),
  total: z.int().nonnegative(),
  percent: z.int().min(0).max(100),
  /** The number of events that the plan counts. */
  seq: z.int().positive(),
  /** Model usage so far, including its sub-plans. */
  usage: Usage,
  /** Its contribution to the metrics; absent until the plan has ended. */
  figures: PlanFigures.optional(),
  /** The lesson of an ended plan, if there is one. */
  lesson: Lesson.optional(),
});
export type PlanOutline = z.infer<typeof PlanOutline>;

export function outlineOf(plan: KnownPlan): PlanOutline {
  const { goal, status, submittedAt, endedAt, conclusion, done, total, percent, seq, usage } = plan;
  const outcome = endedAt === undefined ? undefined : conclusion?.outcome;
  const answerStatus = conclusion?.answer?.status;
  const figures = figuresOf(plan);
  const lesson = lessonOf(plan);
  return {
    tenant: goal.tenant,
    goal: goal.goal,
    metadata: goal.metadata,
    ...(goal.parent === undefined ? {} : { parent: goal.parent.planId }),
    ...(goal.submittedBy === undefined ? {} : { submittedBy: goal.submittedBy }),
    status,
    strategy: plannedBy(plan),
    ...(outcome === undefined ? {} : { outcome }),
    ...(answerStatus === undefined ? {} : { answerStatus }),
    submittedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    done,
    total,
    percent,
    seq,
    usage,
    ...(figures === undefined ? {} : { figures }),
    ...(lesson === undefined ? {} : { lesson }),
  };
}
