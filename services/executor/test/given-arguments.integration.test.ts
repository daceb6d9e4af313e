// A step only runs with the approved arguments and with artifacts that still exist.
import { argumentsHash } from "@planwright/plan";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool } from "../src/tools/define-tool.ts";
import { type ExecutorBench, startExecutorBench } from "./support/executor-bench.ts";

const sent: unknown[] = [];
const send = defineTool({
  name: "test.send",
  description: "Notes what it is given.",
  input: z.strictObject({ value: z.unknown() }),
  output: AnyJson,
  risk: "high",
  effect: "read",
  timeoutMs: 60_000,
  run: async ({ value }) => sent.push(value),
});

let bench: ExecutorBench;
beforeAll(async () => {
  bench = await startExecutorBench([send]);
});
afterAll(() => bench?.[Symbol.asyncDispose]());

it("fails permanently, and names the missing artifact", async () => {
  const value = { $artifact: "outputs/s1-0-1.json", path: [] };
  expect(await bench.run("s2", "test.send", { value })).toMatchObject({
    type: "step.failed",
    data: {
      retryable: false,
      error: { code: "artifact_lost", message: "the artifact outputs/s1-0-1.json is gone" },
    },
  });
});

it("runs no other arguments than those that were approved", async () => {
  const approval = { approvalId: "risk-a-0", argsHash: argumentsHash({ value: "to ann" }) };
  expect(await bench.run("other", "test.send", { value: "to bob" }, { approval })).toMatchObject({
    type: "step.failed",
    data: {
      retryable: false,
      error: { code: "approval_mismatch", message: expect.stringContaining("risk-a-0") },
    },
  });
  expect(sent).toEqual([]);
  expect(await bench.run("same", "test.send", { value: "to ann" }, { approval })).toMatchObject({
    type: "step.succeeded",
  });
  expect(sent).toEqual(["to ann"]);
});
