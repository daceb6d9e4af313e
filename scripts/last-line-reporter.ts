import type { Reporter, TestModule } from "vitest/node";

/**
 * Prints `N passed, N failed` as the run's very last line, so that a person and a script read the same
 * result. Skipped tests are counted beside it whenever there are any. A file that could not be loaded and
 * an error outside any test count as failures.
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
    // On exit, because the coverage report is printed after this hook.
    process.once("exit", () => console.log(lastLine(count)));
  }
}

function lastLine({ passed, failed, skipped }: { passed: number; failed: number; skipped: number }): string {
  const skippedPart = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${passed} passed, ${failed} failed${skippedPart}`;
}
