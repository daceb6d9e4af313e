/** Statistics of a set of measurements. */

export type Summary = { readonly median: number; readonly min: number; readonly max: number };

/**
 * The value below which a share of the samples lies, by the nearest-rank method.
 *
 * @param share - From 0 to 1; 0.5 is the median.
 * @throws {RangeError} Without samples, or when the share is out of range.
 */
export function quantile(samples: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`wanted a share from 0 to 1, got ${share}`);
  const sorted = samples.toSorted((left, right) => left - right);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError("there is no quantile of no samples");
  return value;
}

/** The middle value; the mean of the two middle ones when their number is even. */
export function median(samples: readonly number[]): number {
  if (samples.length % 2 === 1) return quantile(samples, 0.5);
  const below = quantile(samples, 0.5);
  const sorted = samples.toSorted((left, right) => left - right);
  return (below + (sorted[samples.length / 2] ?? below)) / 2;
}

/** @throws {RangeError} Without samples. */
export function mean(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError("there is no mean of no samples");
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

/** @throws {RangeError} Without samples. */
export function summaryOf(samples: readonly number[]): Summary {
  return { median: median(samples), min: quantile(samples, 0), max: quantile(samples, 1) };
}

/** Rounds to a useful precision: six significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
