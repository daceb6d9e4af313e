/** Where work is sent, and where it is kept as a dead letter. */
import type { PlanId, UnitWork } from "@planwright/plan";
import { itemToken } from "./subjects.ts";

export const WORK_SUBJECTS = { draft: "work.plan.>", join: "work.reflect.>", facts: "work.facts.>" } as const;

export function draftSubject(work: { planId: PlanId; draft: number }): string {
  return `work.plan.${work.planId}.${work.draft}`;
}

export function joinSubject(work: { planId: PlanId; join: number }): string {
  return `work.reflect.${work.planId}.${work.join}`;
}

/** A look at one output for facts: a separate queue, so that no answer waits behind many of them. */
export function factsSubject(work: {
  planId: PlanId;
  stepId: string;
  item: number;
  attempt: number;
}): string {
  return `work.facts.${work.planId}.${work.stepId}.${work.item}.${work.attempt}`;
}

/** A review of a whole draft. No step id has a tilde. */
export function critiqueSubject(work: {
  planId: PlanId;
  of: "plan" | "answer";
  draft: number;
  review: number;
}): string {
  return `work.reflect.${work.planId}.~${work.of}.${work.draft}.${work.review}`;
}

export function reviewSubject(work: {
  planId: PlanId;
  stepId: string;
  item: number;
  attempt: number;
  review: number;
}): string {
  const { planId, stepId, item, attempt, review } = work;
  return `work.reflect.${planId}.${stepId}.${item}.${attempt}.${review}`;
}

/** One attempt of one step, in the queue of the pool that runs it. Sent again after a pause, it is another message. */
export function stepSubject(work: {
  planId: PlanId;
  stepId: string;
  item: number;
  undo?: true | undefined;
  attempt: number;
  sentAfter: number;
  pool: string;
}): string {
  const { stepId, attempt, pool, planId, sentAfter } = work;
  return `work.step.${pool}.${planId}.${stepId}.${itemToken(work)}.${attempt}.${sentAfter}`;
}

/** A unit, in the queue of the pool that runs it. */
export function unitSubject({ pool, planId, unit }: Pick<UnitWork, "pool" | "planId" | "unit">): string {
  return `work.step.${pool}.${planId}.${unit}.unit`;
}

/** A pool's queue: what one durable consumer takes from. */
export function poolSubjects(pool: string): string {
  return `work.step.${pool}.>`;
}

/** Everything that is to be done for a plan. */
export function workOfPlan(planId: PlanId): readonly string[] {
  const kinds = ["work.step.*", "work.plan", "work.reflect", "work.facts"];
  return kinds.map((kind) => `${kind}.${planId}.>`);
}

/** Where dead letters are kept. */
export function deadLetterSubject(workSubject: string): string {
  return `${DEAD_LETTER_PREFIX}${workSubject}`;
}

export const DEAD_LETTER_PREFIX = "dead.";
export const ALL_DEAD_LETTERS = "dead.>";

/** On a step's work: the last sequence on the plan's flow subjects that its sender knew, 0 when there was none. */
export const FLOW_HEADER = "Planwright-Flow";
