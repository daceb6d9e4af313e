import {
  criticalPath,
  type EstimateFrom,
  estimateRun,
  expectedMs,
  onlySink,
  PlanDocument,
  RunEstimate,
  Step,
  StepId,
} from "@planwright/plan";
import { z } from "zod";

/** Tools that call a model once for each step; some call it more often. */
const MODEL_TOOL = /^(?:model|agent|plan)\./;

export const PlanEstimate = z.object({
  steps: z.array(Step),
  answerFrom: PlanDocument.shape.answerFrom,
  reasoning: PlanDocument.shape.reasoning,
  criticalPath: z.object({
    stepIds: z.array(StepId),
    /** Null when the time of one of its steps cannot be told. */
    durationMs: z.number().nullable(),
  }),
  /** At least: calls of the steps, and one for the answer unless a step gives it. */
  modelCalls: z.int(),
  running: RunEstimate.optional().meta({
    description: "What running it is expected to take; drafting it is in `usage`.",
  }),
});
export type PlanEstimate = z.output<typeof PlanEstimate>;

/** What running a checked plan would involve. */
export function describePlan(plan: PlanDocument, from: EstimateFrom): PlanEstimate {
  const { steps, answerFrom, reasoning } = plan;
  const expected = new Map(steps.map((step) => [step.id, expectedMs(step, from)]));
  const isKnown = [...expected.values()].every((ms) => ms !== undefined);
  // Without times, the longest chain is the one with the most steps.
  const path = criticalPath(steps, ({ id }) => (isKnown ? (expected.get(id) ?? 0) : 1));
  const answer = answerFrom ?? onlySink(steps);
  const calling = steps.filter(({ tool }) => MODEL_TOOL.test(tool)).length;
  return {
    steps,
    ...(answerFrom === undefined ? {} : { answerFrom }),
    ...(reasoning === undefined ? {} : { reasoning }),
    criticalPath: { stepIds: path.stepIds, durationMs: isKnown ? Math.round(path.durationMs) : null },
    modelCalls: calling + (answer === undefined ? 1 : 0),
    running: estimateRun(plan, from),
  };
}
