import { globSync } from "node:fs";
import path from "node:path";
import { runNode } from "../run-node.ts";

/** The variable that signals to `vitest.config.ts` that a run measures coverage. */
export const COUNTS_COVERAGE = "PLANWRIGHT_COUNTS_COVERAGE";

/** The variable that makes a run omit the slow files, with their number, which the reporter prints. */
export const SLOW_FILES_LEFT_OUT = "PLANWRIGHT_SLOW_FILES_LEFT_OUT";

/** The test files that a quick run omits. */
export const SLOW = "**/*.slow.*test.ts";
const TEST_FOLDERS = "{packages,services,tests,scripts,benchmarks}";
/** Options that select tests, as file names do. */
const CHOOSES = /^(?:-t|--testNamePattern|--project|--shard|--changed)(?:=|$)/;

const USAGE = `npm test                 all tests but the slow ones (${SLOW})
npm test -- --all        all tests
npm test -- evolve       the tests whose file name contains "evolve", slow or not
npm test -- -t cycle     the tests whose name contains "cycle", slow or not
npm test -- --project=unit
                         the tests of one project, slow or not

All other arguments go to vitest:
`;

const VITEST = "node_modules/vitest/vitest.mjs";
/** The cache of compiled code, also used by `npm start`: tests start hundreds of processes. */
const COMPILE_CACHE = path.resolve("node_modules/.cache/node");

/**
 * `npm test`: the quick tests (four minutes). `--all` adds the slow ones (`*.slow.*`), and so does an argument that
 * selects tests (`npm test -- packages/plan -t cycle`). Arguments go to vitest. The tests of `npm run test:full` are omitted.
 */
export async function testCommand(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) console.log(USAGE);
  const { vitestArgs, isQuick } = chooseTests(args);
  if (!isQuick) return runTests(vitestArgs);
  const slow = globSync(`${TEST_FOLDERS}/${SLOW}`, { exclude: ["**/node_modules/**"] });
  return runTests(vitestArgs, { [SLOW_FILES_LEFT_OUT]: String(slow.length) });
}

/** The arguments for vitest, from those of `npm test`. `isQuick`: the slow files are omitted. */
export function chooseTests(args: readonly string[]): { vitestArgs: string[]; isQuick: boolean } {
  const given = args.filter((arg) => arg !== "--all");
  const isQuick =
    given.length === args.length && !args.some((arg) => !arg.startsWith("-") || CHOOSES.test(arg));
  const isProjectChosen = given.some((arg) => arg.startsWith("--project"));
  const vitestArgs = [...(isProjectChosen ? [] : ["--project=!full"]), ...given];
  return { vitestArgs, isQuick };
}

/**
 * `npm run coverage`: runs the unit tests of `packages/plan`, measures their branch coverage, and fails below the
 * threshold in `vitest.config.ts`.
 */
export async function coverageCommand(args: readonly string[]): Promise<number> {
  return runTests(["--project=unit", "--coverage", "packages/plan", ...args], {
    [COUNTS_COVERAGE]: "1",
    // Cached code can hide branches from the measurement.
    NODE_DISABLE_COMPILE_CACHE: "1",
  });
}

/**
 * `npm run test:full`: the tests that take minutes (`*.full.test.ts`), and property tests with many more cases. Arguments
 * go to vitest; the variable `FAULT_SEED` repeats one seed of a test with random faults.
 */
export async function fullTestCommand(args: readonly string[]): Promise<number> {
  return runTests(["--project=full", ...args]);
}

/** `npm run pictures`: the browser tests, which then also write screenshots to `docs/images`. */
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
