import { defineConfig } from "vitest/config";
import { docsPages } from "./packages/dashboard/docs-pages.ts";
import { PROPERTY_RUNS } from "./packages/plan/test/property-runs.ts";
import { bundledChildren } from "./scripts/bundled-children.ts";
import { COUNTS_COVERAGE, SLOW, SLOW_FILES_LEFT_OUT } from "./scripts/commands/test.ts";
import { TestOrder } from "./scripts/test-order.ts";

const NATS_SETUP = "./packages/testkit/src/nats/global-setup.ts";
const WALL_SETUP = "./packages/testkit/src/wall/global-setup.ts";
const SERVICES_SETUP = "./packages/testkit/src/system/global-setup.ts";
const ENDS_WITH_RUN = "./packages/testkit/src/run/end-with-parent.ts";
const PAGE_SETUP = "./packages/dashboard/test/support/set-up.ts";
const REPORTS_FAILURES = "./packages/testkit/src/system/report-failures.ts";
const FULL = "**/*.full.test.ts";
/** More than a small machine has cores: most of these tests wait for timers and for other processes half of their time. */
const WORKERS = 4;
/** These play hundreds of plans, or plans of ten thousand steps: counting their coverage would double its time. */
const SLOW_TO_COUNT = [
  "packages/plan/src/machine/evolve.property.test.ts",
  "packages/plan/src/machine/plan-size.slow.test.ts",
];
const PROPERTIES = "packages/plan/src/**/*.property.test.ts";

/**
 * Five kinds of tests, told apart by name: `unit` beside the sources (no I/O beyond loopback and
 * temporary folders), `integration` (one package or service over a real nats-server), `page` (the page without a browser, on
 * recorded answers), `e2e` (all services), and `full` (what takes minutes: every fault at every point, properties
 * with many more cases; `npm run test:full`, not `npm test`). `npm test` leaves out files of the first four kinds that are
 * named `*.slow.*`; `npm test -- --all` does not. The time-outs only catch what hangs: a slow machine must
 * not fail a test.
 */
export default defineConfig({
  plugins: [bundledChildren(), docsPages()],
  test: {
    // No module keeps state from one file to the next, and reloading them for each takes a third of the time.
    isolate: false,
    sequence: { sequencer: TestOrder },
    exclude: ["**/node_modules/**", ...(process.env[SLOW_FILES_LEFT_OUT] === undefined ? [] : [SLOW])],
    setupFiles: [ENDS_WITH_RUN],
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ["default", "./scripts/last-line-reporter.ts"],
    coverage: {
      provider: "v8",
      include: ["packages/plan/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary", "lcovonly"],
      thresholds: { branches: 95 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "{packages,services}/*/src/**/*.test.{ts,tsx}",
            "{tests,scripts}/*.test.ts",
            "benchmarks/src/**/*.test.ts",
          ],
          exclude: [
            "tests/**/*.e2e.test.ts",
            FULL,
            ...(process.env[COUNTS_COVERAGE] === undefined ? [] : SLOW_TO_COUNT),
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["{packages,services}/*/test/**/*.integration.test.ts"],
          globalSetup: [NATS_SETUP, WALL_SETUP],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: ["packages/dashboard/test/**/*.page.test.tsx"],
          environment: "happy-dom",
          environmentOptions: { happyDOM: { url: "http://planwright.test/" } },
          setupFiles: [ENDS_WITH_RUN, PAGE_SETUP],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["tests/**/*.e2e.test.ts"],
          globalSetup: [NATS_SETUP, WALL_SETUP, SERVICES_SETUP],
          setupFiles: [ENDS_WITH_RUN, REPORTS_FAILURES],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "full",
          include: [FULL, PROPERTIES],
          env: { [PROPERTY_RUNS]: "50" },
          globalSetup: [NATS_SETUP, WALL_SETUP, SERVICES_SETUP],
          setupFiles: [ENDS_WITH_RUN, REPORTS_FAILURES],
          testTimeout: 1_800_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
