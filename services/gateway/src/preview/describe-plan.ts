import type { PlanEstimate } from "@planwright/api";
import {
  criticalPath,
  type EstimateFrom,
  estimateRun,
  expectedMs,
  onlySink,
  type PlanDocument,
} from "@planwright/plan";

/** Tools that call a model once for each step; some call it more often. */
const MODEL_TOOL = /^(?:model|agent|plan)\./;

/** The estimate for running a checked plan. */
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
