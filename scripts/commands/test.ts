import { runNode } from "../run-node.ts";

const VITEST = "node_modules/vitest/vitest.mjs";

/**
 * `npm test`: every test but those of `npm run test:full`. Arguments go to vitest
 * (`npm test -- packages/plan -t cycle`); only a run without any also measures the coverage of
 * `packages/plan` and holds it to its threshold.
 */
export async function testCommand(args: readonly string[]): Promise<number> {
  const chosen = args.some((arg) => arg.startsWith("--project"));
  return runTests([...(chosen ? [] : ["--project=!full"]), ...(args.length === 0 ? ["--coverage"] : args)]);
}

/**
 * `npm run test:full`: the tests that take minutes (`*.full.test.ts`), and properties with many more cases. Arguments
 * go to vitest; the variable `FAULT_SEED` repeats one seed of a test that draws its faults at random.
 */
export async function fullTestCommand(args: readonly string[]): Promise<number> {
  return runTests(["--project=full", ...args]);
}

async function runTests(args: readonly string[]): Promise<number> {
  return runNode([VITEST, "run", ...args], { ...process.env, NODE_ENV: "test" });
}
