/** What a forked plan's first fact says of where it came from. */
import { z } from "zod";
import { PlanId, StepId } from "../ids.ts";
import { Step } from "../plan-language.ts";
import { ArtifactRef, StepOutput, ToolGrant } from "./values.ts";

/** The plan that another one was forked from, the step that runs anew, and how many facts were known then. */
export const ForkOrigin = z.object({ planId: PlanId, fromStep: StepId, seq: z.int().positive() });
export type ForkOrigin = z.infer<typeof ForkOrigin>;

/** A step that is done already: it never runs in the plan that it was carried over to. */
export const CarriedStep = z.object({
  step: Step,
  grant: ToolGrant,
  output: StepOutput,
  /** Files that it wrote; copies of them belong to the new plan. */
  artifacts: z.array(ArtifactRef).default([]),
});
export type CarriedStep = z.infer<typeof CarriedStep>;
