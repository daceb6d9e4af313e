/** The variable with the factor for the number of cases of each property; `npm run test:full` sets it. */
export const PROPERTY_RUNS = "PLANWRIGHT_PROPERTY_RUNS";

/** Finding the smallest counterexample may take forever. */
const TIME_MS_MAX = 20_000;

/** The number of cases of a property. */
export function propertyRuns(cases: number): number {
  return cases * manifold();
}

/** The maximum time for testing a property and shrinking its counterexample, in milliseconds; longer with more cases. */
export function propertyTimeMs(): number {
  return TIME_MS_MAX * manifold();
}

function manifold(): number {
  return Number(process.env[PROPERTY_RUNS] ?? 1);
}
