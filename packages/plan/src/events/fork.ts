/** The origin of a forked plan, as recorded in its first event. */
import { z } from "zod";
import { PlanId, StepId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { Step } from "../language/plan-language.ts";
import { ArtifactRef, StepOutput, ToolGrant } from "./values.ts";

/** The plan that another one was forked from, the step that runs again, and the number of events at the fork. */
export const ForkOrigin = z.object({ planId: PlanId, fromStep: StepId, seq: z.int().positive() });
export type ForkOrigin = z.infer<typeof ForkOrigin>;

/** A result of a step that ran for each item of a list, stored as a file. */
export const CarriedFile = z.object({
  item: z.int().nonnegative().max(LIMITS.itemsMax),
  artifact: ArtifactRef,
  lists: z.record(z.string(), z.int().nonnegative()).optional(),
});
export type CarriedFile = z.infer<typeof CarriedFile>;

/** A finished step: it never runs in the plan that it was carried over to. */
export const CarriedStep = z.object({
  step: Step,
  grant: ToolGrant,
  output: StepOutput,
  files: z.array(CarriedFile).max(LIMITS.itemsMax).optional().meta({
    description:
      "Items of the list in `output` that are stored as files, to which references resolve. Absent if there are none.",
  }),
  partial: z.string().min(1).max(4_000).optional().meta({ description: "Why the output is incomplete." }),
  failedItems: z
    .int()
    .positive()
    .max(LIMITS.itemsMax)
    .optional()
    .meta({ description: "For a step with `forEach`: the number of failed items." }),
  artifacts: z
    .array(ArtifactRef)
    .default([])
    .meta({ description: "Files that the step wrote. The new plan has its own copies." }),
});
export type CarriedStep = z.infer<typeof CarriedStep>;
