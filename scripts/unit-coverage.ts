/**
 * Coverage as V8 counts it, but only in the processes of the unit tests: counting slows down everything that runs
 * there, and what the other tests run is covered by these or runs in processes of its own.
 */
import type { CoverageProviderModule } from "vitest/node";

/** The variable that the unit tests' processes have. */
export const COUNTS_COVERAGE = "PLANWRIGHT_COUNTS_COVERAGE";

const load = async () => (await import("@vitest/coverage-v8")).default;

/** Vitest wants it as the default export. */
const unitCoverage: CoverageProviderModule = {
  getProvider: async () => (await load()).getProvider(),
  startCoverage: async (options) => counts() && (await load()).startCoverage?.(options),
  takeCoverage: async (options) => counts() && (await load()).takeCoverage?.(options),
  stopCoverage: async (options) => counts() && (await load()).stopCoverage?.(options),
};
export default unitCoverage;

function counts(): boolean {
  return process.env[COUNTS_COVERAGE] !== undefined;
}
