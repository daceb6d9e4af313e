import { runNode } from "../run-node.ts";

const VITEST = "node_modules/vitest/vitest.mjs";

/**
 * `npm test`: every test. Arguments go to vitest (`npm test -- packages/plan -t cycle`); only a run
 * without any is the full run, which also measures the coverage of `packages/plan` and holds it to its
 * threshold.
 */
export async function testCommand(args: readonly string[]): Promise<number> {
  const full = args.length === 0;
  return runNode([VITEST, "run", ...(full ? ["--coverage"] : args)], { ...process.env, NODE_ENV: "test" });
}
