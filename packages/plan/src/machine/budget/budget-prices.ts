/** The estimated need of a piece of work, and its maximum cost. */

/** Dollars are counted in whole billionths, so that amounts taken and returned cancel exactly. */
export const NANO_PER_USD = 1e9;
/** A smaller reserve is not worth a call: no prompt is that short. */
export const RESERVE_TOKENS_MIN = 64;

/** The tokens that a piece of work is estimated to read and write. */
export type Need = { readonly input: number; readonly output: number };

export const NO_NEED: Need = { input: 0, output: 0 };

type Priced = {
  /** Per token, in billionths of a dollar; absent if unknown. */
  readonly nanoUsdPerToken?: Need;
};

export function nanoRates({ input, output }: Need): Need {
  return { input: Math.ceil(input * NANO_PER_USD), output: Math.ceil(output * NANO_PER_USD) };
}

export function tokensOf({ input, output }: Need): number {
  return input + output;
}

/** Returns the maximum cost of tokens, with input and output each at its own price; undefined if no price is known. */
export function nanoUsdOf({ nanoUsdPerToken: rate }: Priced, { input, output }: Need): number | undefined {
  return rate === undefined ? undefined : input * rate.input + output * rate.output;
}

/** Returns the amount below which a call is not worth making. */
export function leastNanoUsd({ nanoUsdPerToken: rate }: Priced): number {
  return rate === undefined ? RESERVE_TOKENS_MIN : RESERVE_TOKENS_MIN * Math.max(rate.input, rate.output);
}
