import { addUsage, NO_USAGE, type Usage } from "@planwright/plan";
import type { ModelClient } from "@planwright/shared/model";
import type { TraceParent } from "@planwright/shared/telemetry";

/** A model client that counts what a step uses, and traces its calls below the step. */
export function meterModel(
  client: ModelClient,
  trace: TraceParent,
): { model: ModelClient; usage: () => Usage } {
  let used = NO_USAGE;
  const model: ModelClient = {
    async complete(request) {
      const reply = await client.complete({ trace, ...request });
      const { inputTokens, outputTokens, costUsd } = reply.usage;
      used = addUsage(used, { modelCalls: 1, inputTokens, outputTokens, costUsd });
      return reply;
    },
  };
  return { model, usage: () => used };
}
