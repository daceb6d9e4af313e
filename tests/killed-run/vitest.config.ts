import { defineConfig } from "vitest/config";

const TESTKIT = "./packages/testkit/src";

/** A separate test run, which `tests/killed-run.full.test.ts` kills. */
export default defineConfig({
  test: {
    root: ".",
    include: ["tests/killed-run/everything.ts"],
    setupFiles: [`${TESTKIT}/run/end-with-parent.ts`],
    globalSetup: [`${TESTKIT}/nats/global-setup.ts`, `${TESTKIT}/system/global-setup.ts`],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
