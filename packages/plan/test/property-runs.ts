/** The variable that says how many times as many cases a property is tried with; `npm run test:full` sets it. */
export const PROPERTY_RUNS = "PLANWRIGHT_PROPERTY_RUNS";

/** How many cases a property is tried with. */
export function propertyRuns(cases: number): number {
  return cases * Number(process.env[PROPERTY_RUNS] ?? 1);
}
