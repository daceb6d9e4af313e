// Whatever a tool returns, its step has an outcome that can be stored and read, and its worker continues.
import { LIMITS, OUTPUT_INLINE_BYTES_MAX } from "@planwright/plan";
import { ARTIFACT_BYTES_MAX } from "@planwright/shared/artifacts";
import { PermanentError } from "@planwright/shared/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool } from "../src/tools/define-tool.ts";
import { flowEcho } from "../src/tools/flow-echo.ts";
import { type ExecutorBench, PLAN_ID, startExecutorBench } from "./support/executor-bench.ts";

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

const cyclic: Record<string, unknown> = { name: "cyclic" };
cyclic["self"] = [cyclic];

const REFUSED: Readonly<Record<string, readonly [make: () => unknown, code: string, message: RegExp]>> = {
  "100,000 levels": [() => nested(100_000), "invalid_output", /at most 500 levels/],
  "one level too many": [() => nested(LIMITS.levelsMax + 1), "invalid_output", /at most 500 levels/],
  "itself inside itself": [() => cyclic, "invalid_output", /circular/],
  "a BigInt": [() => ({ rows: [1n] }), "invalid_output", /BigInt/],
  NaN: [() => ({ sum: { mean: Number.NaN } }), "invalid_output", /finite number as mean, got NaN/],
  "an endless number": [() => Number.NEGATIVE_INFINITY, "invalid_output", /finite number, got -Infinity/],
  "a function": [() => () => 1, "invalid_output", /got a function/],
  "a getter that throws": [
    () => ({
      get broken(): never {
        throw new Error("no such field");
      },
    }),
    "invalid_output",
    /no such field/,
  ],
  "an error": [
    () => {
      throw new PermanentError("out of ink", { code: "no_ink" });
    },
    "no_ink",
    /^out of ink$/,
  ],
  "text that no artifact can hold": [() => "x".repeat(ARTIFACT_BYTES_MAX), "artifact_too_large", /67108864/],
};

const KEPT: Readonly<Record<string, readonly [output: unknown, value: unknown]>> = {
  "as many levels as allowed": [nested(LIMITS.levelsMax), nested(LIMITS.levelsMax)],
  "a missing field": [{ a: undefined, b: 1 }, { b: 1 }],
  "half a character": ["\ud800", "\ud800"],
  "a NUL": [{ "a\0": "\0" }, { "a\0": "\0" }],
  "names of a prototype": [
    JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
    JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
  ],
  null: [null, null],
  "text at the limit of a fact": [
    "x".repeat(OUTPUT_INLINE_BYTES_MAX - 2),
    "x".repeat(OUTPUT_INLINE_BYTES_MAX - 2),
  ],
};

const odd = defineTool({
  name: "test.odd",
  description: "Returns what its argument names.",
  input: z.strictObject({ what: z.string() }),
  output: AnyJson,
  risk: "low",
  effect: "read",
  timeoutMs: 60_000,
  run: async ({ what }) =>
    what === "large" ? "\u{1f600}".repeat(100_000) : (REFUSED[what]?.[0]() ?? KEPT[what]?.[0]),
});

let bench: ExecutorBench;
beforeAll(async () => {
  bench = await startExecutorBench([odd, flowEcho()]);
});
afterAll(() => bench?.[Symbol.asyncDispose]());

describe("an output", () => {
  it.each(Object.entries(REFUSED))(
    "fails the step permanently when it is %s (STEP-3)",
    async (what, [, code, message]) => {
      const stepId = `refused-${Object.keys(REFUSED).indexOf(what)}`;
      expect(await bench.run(stepId, "test.odd", { what })).toMatchObject({
        type: "step.failed",
        data: { retryable: false, error: { code, message: expect.stringMatching(message) } },
      });
    },
  );

  it.each(Object.entries(KEPT))("is kept unchanged although it is %s", async (what, [, value]) => {
    const stepId = `kept-${Object.keys(KEPT).indexOf(what)}`;
    const { type, data } = await bench.run(stepId, "test.odd", { what });
    expect([type, JSON.stringify(data)]).toEqual([
      "step.succeeded",
      expect.stringContaining(`"output":${JSON.stringify({ value })}`),
    ]);
  });

  it("is stored separately with a preview of whole characters when it is large", async () => {
    const { data } = await bench.run("large", "test.odd", { what: "large" });
    expect(data).toMatchObject({ output: { preview: "\u{1f600}".repeat(500) } });
    const [kept] = await bench.artifacts.list(PLAN_ID);
    expect(kept).toMatchObject({ name: "outputs/large-0-1.json", bytes: 400_002 });
  });

  it("does not affect the next step of its worker", async () => {
    expect(await bench.run("last", "flow.echo", { value: 7 })).toMatchObject({
      data: { output: { value: 7 } },
    });
  });
});
