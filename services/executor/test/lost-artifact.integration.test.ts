// A step refers to an output that was kept apart, and what was kept is gone.
import { expect, it } from "vitest";
import { flowEcho } from "../src/tools/flow-echo.ts";
import { startExecutorBench } from "./support/executor-bench.ts";

it("fails for good, and says which artifact is gone", async () => {
  await using bench = await startExecutorBench([flowEcho()]);
  const value = { $artifact: "outputs/s1-0-1.json", path: [] };
  expect(await bench.run("s2", "flow.echo", { value })).toMatchObject({
    type: "step.failed",
    data: {
      retryable: false,
      error: { code: "artifact_lost", message: "the artifact outputs/s1-0-1.json is gone" },
    },
  });
});
