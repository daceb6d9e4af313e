/** The usage of a model call, and its cost. */
import type { Usage } from "@planwright/plan";
import type { ModelPrices } from "../../service/model-config.ts";
import type { ModelMessage, ModelUsage } from "../model-client.ts";

const CHARS_PER_TOKEN = 4;

/** Tokens as counted by a server. */
export type CountedTokens = Omit<ModelUsage, "estimated" | "costUsd">;

/** A rough estimate for texts without a server's count: about four characters per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/**
 * Returns the usage of a call: as counted by the server, or estimated from the texts when it sent no count.
 *
 * @param facts.models - Names under which the price may be listed, the most exact first.
 */
export function usageOf(facts: {
  readonly counted: CountedTokens | undefined;
  readonly messages: readonly ModelMessage[];
  readonly reply: string;
  readonly models: readonly string[];
  readonly prices: ModelPrices;
}): ModelUsage {
  const tokens: CountedTokens = facts.counted ?? {
    inputTokens: estimateTokens(facts.messages.map(({ content }) => content).join("")),
    outputTokens: estimateTokens(facts.reply),
  };
  return {
    ...tokens,
    estimated: facts.counted === undefined,
    costUsd: costUsd(tokens, facts.models, facts.prices),
  };
}

function costUsd(tokens: CountedTokens, models: readonly string[], prices: ModelPrices): number | null {
  const name = models.find((model) => Object.hasOwn(prices, model));
  const price = name === undefined ? undefined : prices[name];
  if (price === undefined) return null;
  const { inputTokens, cachedInputTokens = 0, outputTokens } = tokens;
  const { inputUsdPerMillion, cachedInputUsdPerMillion = inputUsdPerMillion, outputUsdPerMillion } = price;
  const input =
    (inputTokens - cachedInputTokens) * inputUsdPerMillion + cachedInputTokens * cachedInputUsdPerMillion;
  return (input + outputTokens * outputUsdPerMillion) / 1_000_000;
}

/** Returns the usage of one model call as a plan counts it. */
export function planUsage({ inputTokens, outputTokens, costUsd }: ModelUsage): Usage {
  return { modelCalls: 1, inputTokens, outputTokens, costUsd };
}
