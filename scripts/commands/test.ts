import path from "node:path";
import { runNode } from "../run-node.ts";

/** The variable that tells `vitest.config.ts` that a run measures coverage. */
export const COUNTS_COVERAGE = "PLANWRIGHT_COUNTS_COVERAGE";

const VITEST = "node_modules/vitest/vitest.mjs";
/** What processes of the tests have compiled, as `npm start` keeps it: they start hundreds. */
const COMPILE_CACHE = path.resolve("node_modules/.cache/node");

/**
 * `npm test`: every test but those of `npm run test:full`. Arguments go to vitest (`npm test -- packages/plan -t cycle`).
 */
export async function testCommand(args: readonly string[]): Promise<number> {
  const chosen = args.some((arg) => arg.startsWith("--project"));
  return runTests([...(chosen ? [] : ["--project=!full"]), ...args]);
}

/**
 * `npm run coverage`: runs the unit tests of `packages/plan`, measures which branches they take, and fails below the
 * threshold in `vitest.config.ts`.
 */
export async function coverageCommand(args: readonly string[]): Promise<number> {
  return runTests(["--project=unit", "--coverage", "packages/plan", ...args], {
    [COUNTS_COVERAGE]: "1",
    // Cached code may leave branches out of what is counted.
    NODE_DISABLE_COMPILE_CACHE: "1",
  });
}

/**
 * `npm run test:full`: the tests that take minutes (`*.full.test.ts`), and properties with many more cases. Arguments
 * go to vitest; the variable `FAULT_SEED` repeats one seed of a test that draws its faults at random.
 */
export async function fullTestCommand(args: readonly string[]): Promise<number> {
  return runTests(["--project=full", ...args]);
}

/** `npm run pictures`: the browser tests, which then also write what they have seen to `docs/images`. */
export async function picturesCommand(args: readonly string[]): Promise<number> {
  const chosen = args.length === 0 ? ["tests/dashboard"] : args;
  return runTests(["--project=e2e", "--project=full", ...chosen], { PLANWRIGHT_PICTURES: "1" });
}

async function runTests(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return runNode([VITEST, "run", ...args], {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...env,
    NODE_ENV: "test",
  });
}
