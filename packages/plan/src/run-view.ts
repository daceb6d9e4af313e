/** What is seen of the attempts at something: at a step, or at undoing it. */
import { z } from "zod";
import { ModelTries } from "./events/model-events.ts";
import { StepError } from "./events/step-events.ts";
import { StepOutput } from "./events/values.ts";
import type { StepState } from "./state/plan-state.ts";

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
  error: StepError.optional(),
  /** The model server does not answer its call; absent while nothing is wrong. */
  modelTries: ModelTries.optional(),
});

/** Of what runs or has run. */
export function ranDetailsOf(
  state: Extract<StepState, { status: "running" | "reviewing" | "succeeded" | "failed" }>,
) {
  const { workerId, startedAt } = state;
  if (state.status === "running") return { startedAt, workerId, modelTries: state.tries };
  const { endedAt, durationMs } = state;
  const times = { workerId, startedAt, endedAt, durationMs };
  if (state.status === "reviewing") return { ...times, output: state.output, modelTries: state.tries };
  if (state.status === "succeeded") return { ...times, output: state.output };
  return { ...times, error: state.error, output: state.output };
}
