/** What a piece of work is thought to need of a budget, and what that costs at most. */

/** Dollars are counted in whole billionths, so that what is taken and given back adds up to nothing. */
export const NANO_PER_USD = 1e9;
/** Less than this is not worth a call: no prompt is that short. */
export const RESERVE_TOKENS_MIN = 64;

/** The tokens that a piece of work is thought to read and to write. */
export type Need = { readonly input: number; readonly output: number };

export const NO_NEED: Need = { input: 0, output: 0 };

type Priced = {
  /** Of one token, in billionths of a dollar; absent when it is not known. */
  readonly nanoUsdPerToken?: Need;
};

export function nanoRates({ input, output }: Need): Need {
  return { input: Math.ceil(input * NANO_PER_USD), output: Math.ceil(output * NANO_PER_USD) };
}

export function tokensOf({ input, output }: Need): number {
  return input + output;
}

/** What tokens cost at most, input and output each at its own price; undefined when no price is known. */
export function nanoUsdOf({ nanoUsdPerToken: rate }: Priced, { input, output }: Need): number | undefined {
  return rate === undefined ? undefined : input * rate.input + output * rate.output;
}

/** Less than this is not worth a call. */
export function leastNanoUsd({ nanoUsdPerToken: rate }: Priced): number {
  return rate === undefined ? RESERVE_TOKENS_MIN : RESERVE_TOKENS_MIN * Math.max(rate.input, rate.output);
}
