/** Ids are part of NATS subjects, so each is one subject token: `.`, `*`, `>` and spaces are refused. */
import { z } from "zod";
import { fnv1a32 } from "./fnv1a.ts";

const SubjectToken = z
  .string()
  .regex(/^[\w-]{1,64}$/, "wanted 1 to 64 letters, digits, underscores or hyphens");

export const PlanId = SubjectToken.brand<"PlanId">();
export type PlanId = z.infer<typeof PlanId>;

export const StepId = SubjectToken.brand<"StepId">();
export type StepId = z.infer<typeof StepId>;

/** The number of partitions of the log; changing it requires a new log. */
export const PARTITIONS = 16;

/** The partition that owns a plan: FNV-1a (32 bit) of its id, modulo {@link PARTITIONS}. */
export function partitionOf(planId: PlanId): number {
  return fnv1a32(planId) % PARTITIONS;
}

/**
 * The key that a tool passes to its target, so that the target can detect a repeated call: the same for all attempts.
 *
 * @param call - Counts the calls of one run from 0, for tools that act more than once; for a loop, the call's name, such as `3`
 * or
 *   `3_2`.
 */
export function effectKey(
  {
    planId,
    stepId,
    item,
    undo,
  }: {
    readonly planId: string;
    readonly stepId: string;
    readonly item: number;
    /** A compensation has a different effect than its step. */
    readonly undo?: true | undefined;
  },
  call: number | string = 0,
): string {
  return `${planId}/${stepId}/${undo === true ? "undo" : item}/${call}`;
}

/** Names a run; `item` counts from 0, and is absent for a step that runs once. */
export type RunName = { readonly stepId: StepId; readonly item?: number };
