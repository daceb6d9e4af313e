import type { Usage } from "@planwright/plan";
import type { ModelUsage } from "./model-client.ts";

/** One model call as a plan counts it. */
export function planUsage({ inputTokens, outputTokens, costUsd }: ModelUsage): Usage {
  return { modelCalls: 1, inputTokens, outputTokens, costUsd };
}
