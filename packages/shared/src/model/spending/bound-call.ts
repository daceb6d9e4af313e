/** The maximum cost of a call, and how far it has to be limited to stay within the remaining allowance. */
import type { ModelPrice } from "../../service/model-config.ts";
import type { ModelRequest } from "../model-client.ts";

/** Tokens that a chat template adds to a message, and to all of them. */
const FRAME_TOKENS = 16;
/** A reply limited to less than this is useless. */
const OUTPUT_TOKENS_MIN = 16;

/** Infinite when there is no limit. */
export type Left = { readonly tokens: number; readonly usd: number };

export type BoundCall = {
  /** Absent when only the model's own limit applies. */
  readonly maxOutputTokens?: number;
  /** The maximum cost. */
  readonly worst: { readonly tokens: number; readonly usd: number };
};

/**
 * Returns the call limited to the remaining allowance; undefined when it does not fit at all.
 *
 * @param price - Required when dollars are limited.
 */
export function boundCall(
  request: ModelRequest,
  { left, price }: { left: Left; price: ModelPrice | undefined },
): BoundCall | undefined {
  const inputTokens = inputTokensMax(request);
  const inputUsd = perToken(price?.inputUsdPerMillion);
  const outputUsd = perToken(price?.outputUsdPerMillion);
  const byTokens = left.tokens - inputTokens;
  const usdForOutput = left.usd - inputTokens * inputUsd;
  if (usdForOutput < 0) return undefined;
  const byUsd = outputUsd === 0 ? Number.POSITIVE_INFINITY : Math.floor(usdForOutput / outputUsd);
  const outputTokens = Math.min(byTokens, byUsd, request.maxOutputTokens ?? Number.POSITIVE_INFINITY);
  if (outputTokens < Math.min(OUTPUT_TOKENS_MIN, request.maxOutputTokens ?? OUTPUT_TOKENS_MIN))
    return undefined;
  if (outputTokens === Number.POSITIVE_INFINITY) return { worst: { tokens: inputTokens, usd: 0 } };
  const usd = inputTokens * inputUsd + outputTokens * outputUsd;
  return { maxOutputTokens: outputTokens, worst: { tokens: inputTokens + outputTokens, usd } };
}

/** Tokens to reserve for a prompt and its schema, estimated rather too high (see `promptTokens`). */
export function inputTokensMax({ messages, outputSchema }: ModelRequest): number {
  let tokens = FRAME_TOKENS;
  for (const { content } of messages) tokens += promptTokens(content) + FRAME_TOKENS;
  if (outputSchema !== undefined) tokens += promptTokens(JSON.stringify(outputSchema)) + FRAME_TOKENS;
  return tokens;
}

/** Describes what the smallest call would reserve, for a refusal. */
export function leastWords(request: ModelRequest, price: ModelPrice | undefined): string {
  const input = inputTokensMax(request);
  const output = Math.min(OUTPUT_TOKENS_MIN, request.maxOutputTokens ?? OUTPUT_TOKENS_MIN);
  const usd = input * perToken(price?.inputUsdPerMillion) + output * perToken(price?.outputUsdPerMillion);
  const cost = price === undefined ? "" : ` (${Number(usd.toPrecision(3))} US dollars)`;
  return `about ${input} tokens for the prompt and at least ${output} for the reply${cost}`;
}

function perToken(usdPerMillion = 0): number {
  return usdPerMillion / 1_000_000;
}

/** A run of letters, of digits or of white space, or a single other character. */
const RUN = /[A-Z]?[a-z]+|[A-Z]+|\d+|\s+|[^\sA-Za-z\d]/gu;
/** Characters per token in longer words. */
const WORD_CHARS = 4;

/**
 * Estimates the number of tokens of a text, rather too many than too few.
 *
 * A word counts one token per four letters; digits and punctuation count one each, other scripts one to three per
 * character. Compared with the tokenizers o200k_base and cl100k_base (docs/decisions/0047): for prose, code, JSON and other
 * scripts it gives 1.1 to 2.2 times the larger count. Random letters have up to 2.3 times as many tokens as estimated.
 */
export function promptTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) tokens += tokensOfRun(run);
  return tokens;
}

function tokensOfRun(run: string): number {
  const code = run.codePointAt(0) ?? 0;
  if (code > 127) return code < 0x8_00 ? 1 : code < 0x1_00_00 ? 2 : 3;
  if (/\s/.test(run)) return run === " " ? 0 : Math.ceil(run.length / WORD_CHARS);
  return /[A-Za-z]/.test(run) ? Math.ceil(run.length / WORD_CHARS) : run.length;
}
