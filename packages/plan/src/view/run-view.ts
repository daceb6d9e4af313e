/** The public view of the attempts of a step, or of its compensation. */
import { z } from "zod";
import { ModelTries } from "../events/model-events.ts";
import { StepError } from "../events/step-events.ts";
import { StepOutput } from "../events/values.ts";
import type { StepState } from "../machine/plan-state.ts";

export const RunView = z.object({
  attempt: z.int(),
  failedAttempts: z.array(
    z.object({ attempt: z.int(), error: StepError, at: z.string(), retryAt: z.string() }),
  ),
  workerId: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  durationMs: z.number().optional(),
  output: StepOutput.optional(),
  truncated: z
    .literal(true)
    .optional()
    .meta({ description: "The output is cut off, because a model reached its length limit." }),
  error: StepError.optional(),
  modelTries: ModelTries.optional().meta({
    description: "Failed attempts to reach the model server; absent if there are none.",
  }),
});

/** The details of a run that has started. */
export function ranDetailsOf(
  state: Extract<StepState, { status: "running" | "reviewing" | "succeeded" | "failed" }>,
) {
  const { workerId, startedAt } = state;
  if (state.status === "running") return { startedAt, workerId, modelTries: state.tries };
  const { endedAt, durationMs } = state;
  const times = { workerId, startedAt, endedAt, durationMs };
  if (state.status === "failed") return { ...times, error: state.error, output: state.output };
  const { output, truncated } = state;
  return state.status === "reviewing"
    ? { ...times, output, truncated, modelTries: state.tries }
    : { ...times, output, truncated };
}
