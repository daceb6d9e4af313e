import { afterAll, expect, it } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import { codeRun } from "./code-run.ts";
import { testContext } from "../tools/testing/test-context.ts";

const sandbox = createSandbox();
afterAll(() => sandbox[Symbol.dispose]());
const tool = codeRun({ sandbox, now: () => 0 });
const run = (code: string, more: object = {}) =>
  tool.run({ language: "javascript", code, ...more }, testContext());

it("returns the program's result and its output", async () => {
  expect(
    await run("console.log('seen', input.length); return input.map((n) => n * 2)", { input: [1, 2] }),
  ).toEqual({
    result: [2, 4],
    logs: ["seen 2"],
    durationMs: expect.any(Number),
    memoryBytes: expect.any(Number),
    toolCalls: 0,
  });
});

it("continues with the state that another program left, and returns its own", async () => {
  expect(
    await run("state.seen = [...(state.seen ?? []), input]; return 1", { input: "a", state: {} }),
  ).toMatchObject({
    state: { seen: ["a"] },
  });
  expect(await run("return 1")).not.toHaveProperty("state");
});

it("calls no tool where none is available", async () => {
  await expect(run("return 1", { tools: ["docs.search"] })).rejects.toMatchObject({ code: "no_desk" });
});

it("runs TypeScript and keeps its line numbers", async () => {
  const code = "const rows: { n: number }[] = input;\nconst first = rows[0] as any;\nreturn first.n";
  await expect(run(code, { language: "typescript", input: [] })).rejects.toMatchObject({
    code: "code_error",
    message: expect.stringMatching(/^line 3: TypeError/),
  });
  expect(await run("const n: number = input!; return n", { language: "typescript", input: 7 })).toMatchObject(
    {
      result: 7,
    },
  );
});

it.each(["enum A { B }", "const a: = 1"])("reports the error in the TypeScript %s", async (code) => {
  await expect(run(code, { language: "typescript" })).rejects.toMatchObject({ code: "syntax_error" });
});

it("reports where a program failed, and its output up to there", async () => {
  await expect(run("console.log('before');\nthrow new Error('boom')")).rejects.toMatchObject({
    name: "PermanentError",
    code: "code_error",
    message: "line 2: Error: boom; it wrote: before",
  });
});

it.each([{ language: "cobol" }, { code: "" }, { code: "x".repeat(100_001) }, { more: 1 }])(
  "refuses %o",
  async (args) => {
    await expect(run("return 1", args)).rejects.toMatchObject({ code: "invalid_arguments" });
  },
);
