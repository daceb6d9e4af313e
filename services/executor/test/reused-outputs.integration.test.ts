// An equal call of the same plan is not repeated, and the log says so.
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createReuse, withReuse } from "../src/steps/create-reuse.ts";
import { AnyJson, defineTool } from "../src/tools/define-tool.ts";
import { type ExecutorBench, startExecutorBench } from "./support/executor-bench.ts";

const asked: string[] = [];
const search = defineTool({
  name: "test.search",
  description: "Notes what it is asked.",
  input: z.strictObject({ query: z.string() }),
  output: AnyJson,
  risk: "low",
  effect: "read",
  timeoutMs: 60_000,
  reusableMs: 60_000,
  run: async ({ query }) => ({ query, asked: asked.push(query) }),
});

let bench: ExecutorBench;
beforeAll(async () => {
  bench = await startExecutorBench(
    withReuse(
      [search],
      createReuse(() => performance.now()),
    ),
  );
});
afterAll(() => bench?.[Symbol.asyncDispose]());

it("reports a reused output, which equals the first one", async () => {
  const first = await bench.run("s1", "test.search", { query: "a" });
  const second = await bench.run("s2", "test.search", { query: "a" });
  const other = await bench.run("s3", "test.search", { query: "b" });
  expect(first).toMatchObject({
    type: "step.succeeded",
    data: { output: { value: { query: "a", asked: 1 } } },
  });
  expect(first.data).not.toHaveProperty("reused");
  expect(second).toMatchObject({ data: { stepId: "s2", reused: true, output: { value: { asked: 1 } } } });
  expect(other.data).not.toHaveProperty("reused");
  expect(asked).toEqual(["a", "b"]);
});
