/** The variable that says how many times as many cases a property is tried with; `npm run test:full` sets it. */
export const PROPERTY_RUNS = "PLANWRIGHT_PROPERTY_RUNS";

/** Finding the smallest counterexample may take for ever. */
const TIME_MS_MAX = 20_000;

/** How many cases a property is tried with. */
export function propertyRuns(cases: number): number {
  return cases * manifold();
}

/** How long a property is tried, and its counterexample made smaller, at most: with more cases longer. Milliseconds. */
export function propertyTimeMs(): number {
  return TIME_MS_MAX * manifold();
}

function manifold(): number {
  return Number(process.env[PROPERTY_RUNS] ?? 1);
}
