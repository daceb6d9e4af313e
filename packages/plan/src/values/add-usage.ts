/** Sums of model usage; has no schemas, so that the dashboard can load it. */
import type { Usage } from "../events/values.ts";

export type { Usage };

export const NO_USAGE: Usage = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    modelCalls: left.modelCalls + right.modelCalls,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costUsd: left.costUsd === null || right.costUsd === null ? null : left.costUsd + right.costUsd,
  };
}
