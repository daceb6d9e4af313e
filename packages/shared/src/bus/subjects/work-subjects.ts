/** The subjects of work, and of work that became a dead letter. */
import { PlanId, StepId, UnitId, type UnitWork } from "@planwright/plan";
import { itemToken } from "./subjects.ts";
import { z } from "zod";

const Count = z.coerce.number().int().positive();
const Run = { planId: PlanId, stepId: StepId, item: z.coerce.number().int().nonnegative(), attempt: Count };

/** The address of a work message, parsed from its subject. `undo`: it is the step's compensation. */
const WorkAddress = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("step"), pool: z.string(), ...Run, undo: z.literal(true).optional() }),
  z.object({ kind: z.literal("unit"), pool: z.string(), planId: PlanId, unit: UnitId }),
  z.object({ kind: z.literal("facts"), ...Run }),
  z.object({ kind: z.literal("review"), ...Run, review: Count }),
  z.object({ kind: z.literal("draft"), planId: PlanId, draft: Count }),
  z.object({ kind: z.literal("join"), planId: PlanId, join: Count }),
  z.object({
    kind: z.literal("critique"),
    planId: PlanId,
    of: z.enum(["plan", "answer"]),
    draft: Count,
    review: Count,
  }),
]);
export type WorkAddress = z.infer<typeof WorkAddress>;

/** Undefined for subjects that dispatchers of this version do not send work to. */
export function parseWorkSubject(subject: string): WorkAddress | undefined {
  const [work, queue, ...tokens] = subject.split(".");
  return work === "work" ? WorkAddress.safeParse(named(queue, tokens)).data : undefined;
}

function named(queue: string | undefined, tokens: readonly string[]): object | undefined {
  const [first, second, third, fourth, fifth] = tokens;
  if (queue === "step" && fourth === "unit")
    return { kind: "unit", pool: first, planId: second, unit: third };
  if (queue === "step") {
    const run = { pool: first, planId: second, stepId: third, attempt: fifth };
    return { kind: "step", ...run, ...(fourth === "undo" ? { item: 0, undo: true } : { item: fourth }) };
  }
  if (queue === "facts") {
    return { kind: "facts", planId: first, stepId: second, item: third, attempt: fourth };
  }
  if (queue === "plan" && tokens.length === 2) return { kind: "draft", planId: first, draft: second };
  if (queue !== "reflect") return undefined;
  switch (tokens.length) {
    case 2:
      return { kind: "join", planId: first, join: second };
    case 4: // Step ids contain no tilde.
      return {
        kind: "critique",
        planId: first,
        of: second?.match(/^~(.*)/)?.[1],
        draft: third,
        review: fourth,
      };
    case 5:
      return { kind: "review", planId: first, stepId: second, item: third, attempt: fourth, review: fifth };
    default:
      return undefined;
  }
}

export const WORK_SUBJECTS = { draft: "work.plan.>", join: "work.reflect.>", facts: "work.facts.>" } as const;

export function draftSubject(work: { planId: PlanId; draft: number }): string {
  return `work.plan.${work.planId}.${work.draft}`;
}

export function joinSubject(work: { planId: PlanId; join: number }): string {
  return `work.reflect.${work.planId}.${work.join}`;
}

/** Extraction of facts from one output: a separate queue, so that answers do not wait behind many extractions. */
export function factsSubject(work: {
  planId: PlanId;
  stepId: string;
  item: number;
  attempt: number;
}): string {
  return `work.facts.${work.planId}.${work.stepId}.${work.item}.${work.attempt}`;
}

/** A review of a whole draft. Step ids contain no tilde. */
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

/** One attempt of one step, in the queue of the pool that runs it. After a pause it is sent as another message. */
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

/** A pool's queue, read by one durable consumer. */
export function poolSubjects(pool: string): string {
  return `work.step.${pool}.>`;
}

/** All work of a plan. */
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

/** On a step's work: the last sequence on the plan's flow subjects known to its sender; 0 when there was none. */
export const FLOW_HEADER = "Planwright-Flow";
