import type { Metric } from "./render-metrics.ts";

export type Histogram = {
  observe(value: number): void;
  /** Each bound with how many values were not above it, in the order of the bounds. */
  classes(): readonly (readonly [bound: number, count: number])[];
  readonly sum: number;
  readonly count: number;
};

/** @param bounds - The upper ends of its classes, ascending; values above all of them are counted too. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let sum = 0;
  let count = 0;
  return {
    observe(value) {
      sum += value;
      count += 1;
      const index = bounds.findIndex((bound) => value <= bound);
      if (index !== -1) counts[index] = (counts[index] ?? 0) + 1;
    },
    classes() {
      let below = 0;
      return bounds.map((bound, index) => [bound, (below += counts[index] ?? 0)] as const);
    },
    get sum() {
      return sum;
    },
    get count() {
      return count;
    },
  };
}

/** @param histograms - By their labels, of which each has at least one. */
export function histogramMetric(
  name: string,
  help: string,
  histograms: ReadonlyMap<string, Histogram>,
): Metric {
  const values = Array.from(histograms).flatMap(([labels, histogram]): [string, number, string][] => [
    ...histogram
      .classes()
      .map(([bound, count]): [string, number, string] => [`${labels},le="${bound}"`, count, "_bucket"]),
    [`${labels},le="+Inf"`, histogram.count, "_bucket"],
    [labels, histogram.sum, "_sum"],
    [labels, histogram.count, "_count"],
  ]);
  return { name, help, type: "histogram", values };
}
