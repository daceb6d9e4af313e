/** `planSize`: the number of steps that a submission requests. */
import { z } from "zod";
import type { Issue } from "../events/values.ts";
import { LIMITS } from "../values/limits.ts";

const Steps = z.int().min(1).max(LIMITS.stepsMax);

export const PlanSize = z
  .strictObject({
    min: Steps.optional().meta({ description: "Minimum number of steps in the first draft." }),
    max: Steps.optional().meta({ description: "Maximum number of steps in the plan, including revisions." }),
  })
  .refine(({ min = 1, max = LIMITS.stepsMax }) => min <= max, {
    path: ["min"],
    error: ({ input }) => `min must not be greater than max, got ${JSON.stringify(input)}`,
  });
export type PlanSize = z.infer<typeof PlanSize>;

/** Returns the issue of a draft that is too small or too large; undefined when `steps` is within the size. */
export function sizeIssueOf(steps: number, { min, max }: PlanSize): Issue | undefined {
  if (min !== undefined && steps < min) return issueOf("too_few_steps", steps, { min, max });
  if (max !== undefined && steps > max) return issueOf("too_many_steps", steps, { min, max });
  return undefined;
}

function issueOf(code: string, steps: number, size: PlanSize): Issue {
  return { code, field: "steps", message: `wanted ${sizeText(size)} (planSize), got ${steps}` };
}

function sizeText({ min, max }: PlanSize): string {
  if (min === undefined) return `at most ${max} steps`;
  if (max === undefined) return `at least ${min} steps`;
  return min === max ? `exactly ${min} steps` : `${min} to ${max} steps`;
}
