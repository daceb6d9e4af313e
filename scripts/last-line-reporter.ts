import type { Reporter, TestModule } from "vitest/node";
import {
  excessOfStarts,
  readStarts,
  summaryOfStarts,
  TEST_RUN_STARTS,
} from "../packages/testkit/src/run/test-run.ts";
import { SLOW_FILES_LEFT_OUT } from "./commands/test.ts";

/** This project kills services and servers by the dozen: its starts are not limited. */
const UNLIMITED_PROJECT = "full";

/**
 * Prints `N passed, N failed` as the run's very last line, so that users and scripts read the same result. Also shows skipped
 * tests, if any. A file that could not be loaded and an error outside any test count as failures, and so does each kind of
 * start (such as whole systems) that exceeds its limit. The line before it shows how many slow files a quick run omitted.
 */
export default class LastLineReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        count[state === "pending" ? "failed" : state] += 1;
      }
      if (module.state() === "failed" && !tests.some((test) => test.result().state === "failed")) {
        count.failed += 1;
      }
    }
    const starts = process.env[TEST_RUN_STARTS];
    if (starts !== undefined) {
      const counts = readStarts(starts);
      console.log(summaryOfStarts(counts));
      const isLimited = modules.every(({ project }) => project.name !== UNLIMITED_PROJECT);
      for (const excess of isLimited ? excessOfStarts(counts) : []) {
        console.error(excess);
        count.failed += 1;
        process.exitCode = 1;
      }
    }
    // On exit, because the coverage report is printed after this hook.
    process.once("exit", () => console.log([...lineOfSlowFiles(), lastLine(count)].join("\n")));
  }
}

function lastLine({ passed, failed, skipped }: { passed: number; failed: number; skipped: number }): string {
  const skippedPart = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${passed} passed, ${failed} failed${skippedPart}`;
}

function lineOfSlowFiles(): string[] {
  const count = process.env[SLOW_FILES_LEFT_OUT];
  return count === undefined ? [] : [`${count} slow files left out: npm test -- --all runs them`];
}
