// What a program in the sandbox can do, and how it ends. What it must not be able to do is tested in
// sandbox-attacks.slow.test.ts.
import type { Json, JsonObject } from "@planwright/plan";
import { afterAll, describe, expect, it } from "vitest";
import { createSandbox, type ToolOutcome } from "./sandbox.ts";

const sandbox = createSandbox({ deadlineMs: 60_000, toolCalls: 5, logBytes: 100, resultBytes: 1_000 });
afterAll(() => sandbox[Symbol.dispose]());

const never = new AbortController().signal;
const CALLS: Record<string, (args: JsonObject) => Promise<ToolOutcome>> = {
  "docs.search": async (args) => ({ output: { found: [args] } }),
  "sql.query": async () => ({ error: { code: "invalid_sql", message: "no such table" } }),
  "flow.break": () => Promise.reject(new Error("the plan was cancelled")),
};

function run(
  code: string,
  input: Json = null,
  { signal = never, state }: { signal?: AbortSignal; state?: JsonObject } = {},
) {
  const callTool = (tool: string, args: JsonObject) => CALLS[tool]?.(args) ?? Promise.reject(new Error(tool));
  return sandbox.run(
    { language: "javascript", code, input, state, tools: Object.keys(CALLS), nowMs: 1_700_000_000_000 },
    { signal, callTool },
  );
}

const valueOf = async (code: string, input?: Json) => (await run(code, input)).end;

describe("a program", () => {
  it.each<[string, Json]>([
    ["return input.rows.reduce((sum, { n }) => sum + n, 0)", 3],
    ["const { rows } = await input; return rows.length", 2],
    ["", null],
    ["return undefined", null],
    ["return { a: undefined, b: [1, 'ü', null] }", { b: [1, "ü", null] }],
    ["return new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"],
    ["return new Map([[1, 2]]).get(1)", 2],
    ["return [1.5].map(String)", ["1.5"]],
    ["return { then(resolve) { resolve(5) } }", 5],
    ["return { toJSON: () => 'told' }", "told"],
  ])("%s returns %j", async (code, value) => {
    expect(await valueOf(code, { rows: [{ n: 1 }, { n: 2 }] })).toEqual({ ok: true, value });
  });

  it("does the same each time it runs", async () => {
    const code = "return [Date.now(), Math.random(), new Date().getTimezoneOffset()]";
    const first = await valueOf(code);
    expect(await valueOf(code)).toEqual(first);
    expect(first).toMatchObject({ value: [1_700_000_000_000, expect.any(Number), 0] });
  });

  it("finds no trace of the program before it", async () => {
    await run("globalThis.left = 1; Array.prototype.map = null");
    expect(await valueOf("return [typeof left, [1].map((n) => n)]")).toMatchObject({
      value: ["undefined", [1]],
    });
  });

  it("writes lines, up to a limit", async () => {
    expect(await run("console.log('a', { b: 1 }); console.error(undefined)")).toMatchObject({
      logs: ['a {"b":1}', "undefined"],
      logsCut: false,
    });
    expect(await run("for (let n = 0; n < 50; n += 1) console.log('line', n)")).toMatchObject({
      end: { ok: true },
      logsCut: true,
    });
  });

  it("reports how long it ran and how much memory it used", async () => {
    const { durationMs, memoryBytes } = await run("return 1");
    expect(durationMs).toBeGreaterThan(0);
    expect(memoryBytes).toBeGreaterThan(10_000);
  });
});

describe("a program's state", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["state.n += 1", { n: 1 }, { n: 2 }],
    ["state = { ...state, m: 2 }", { n: 1 }, { n: 1, m: 2 }],
    ["const state = 7; return state", { n: 1 }, { n: 1 }],
    ["state.at = undefined; state.list = [new Date(0)]", {}, { list: ["1970-01-01T00:00:00.000Z"] }],
    ["await null; state.n = input", {}, { n: null }],
  ])("after %s of %j is %j", async (code, state, left) => {
    expect((await run(code, null, { state })).end).toMatchObject({ ok: true, state: left });
  });

  it("is not returned for a program that fails or that was given none", async () => {
    const { end } = await run("state.n = 2; throw new Error('no')", null, { state: { n: 1 } });
    expect(end).toEqual({ ok: false, failure: expect.objectContaining({ code: "code_error", line: 1 }) });
    expect(await valueOf("return typeof state")).toEqual({ ok: true, value: "undefined" });
  });

  it.each(["state = [1]", "state = 1", "state = null"])("is an object: %s", async (code) => {
    expect((await run(code, null, { state: {} })).end).toMatchObject({ failure: { code: "invalid_result" } });
  });
});

describe("inputs of a program", () => {
  it("can be redeclared by the program", async () => {
    expect(
      await valueOf("const input = 1, tools = 2; let console = 3; return input + tools + console"),
    ).toMatchObject({
      value: 6,
    });
  });
});

describe("a program's tools", () => {
  it("look synchronous", async () => {
    expect(await run("return tools.docs.search({ query: 'x' }).found")).toMatchObject({
      end: { ok: true, value: [{ query: "x" }] },
      toolCalls: 1,
    });
    expect(await valueOf("return (await tools.docs.search()).found")).toMatchObject({ value: [{}] });
  });

  it("throw the tool's error", async () => {
    const code = "try { tools.sql.query({}) } catch (error) { return [error.code, error.message] }";
    expect(await valueOf(code)).toMatchObject({ value: ["invalid_sql", "no such table"] });
    expect(await valueOf("tools.docs.search('x')")).toMatchObject({
      failure: { code: "code_error", message: "Error: docs.search: wanted an object of arguments" },
    });
  });

  it("end the program when the step has to end", async () => {
    await expect(run("try { tools.flow.break() } catch { return 1 }")).rejects.toThrow(
      "the plan was cancelled",
    );
    expect(await valueOf("return 'the next'")).toMatchObject({ value: "the next" });
  });

  it("do not count as the program's time", async () => {
    using brief = createSandbox({ deadlineMs: 5_000 });
    const slow = async () =>
      await new Promise<ToolOutcome>((resolve) => setTimeout(resolve, 7_000, { output: 1 }));
    const host = { signal: new AbortController().signal, callTool: slow };
    const program = { language: "javascript", code: "", input: null, tools: ["slow"], nowMs: 0 } as const;
    expect((await brief.run({ ...program, code: "return tools.slow()" }, host)).end).toEqual({
      ok: true,
      value: 1,
    });
    expect((await brief.run({ ...program, code: "for (;;);" }, host)).end).toMatchObject({
      failure: { code: "deadline_exceeded", message: "the program ran for more than 5000 ms" },
    });
  });

  it("are limited to the given ones and in their number of calls", async () => {
    expect(await valueOf("return Object.keys(tools).sort()")).toMatchObject({
      value: ["docs", "flow", "sql"],
    });
    expect(await valueOf("for (;;) tools.docs.search()")).toMatchObject({
      failure: { code: "too_many_calls" },
    });
  });
});

describe("a program that fails", () => {
  it.each([
    ["\n\nthrow new TypeError('boom')", { code: "code_error", message: "TypeError: boom", line: 3 }],
    ["null.x", { code: "code_error", message: "TypeError: cannot read property 'x' of null", line: 1 }],
    ["throw 'words'", { code: "code_error", message: "Error: words" }],
    ["return 1 +", { code: "syntax_error" }],
    ["return 'x'.repeat(2_000)", { code: "result_too_large" }],
    ["await new Promise(() => {})", { code: "never_ends" }],
  ])("%s", async (code, failure) => {
    expect(await valueOf(code)).toMatchObject({ ok: false, failure });
  });

  it("stops immediately when its step is cancelled", async () => {
    const cancelled = new AbortController();
    const running = run("for (;;);", null, { signal: cancelled.signal });
    setTimeout(() => cancelled.abort(new Error("cancelled")), 100);
    await expect(running).rejects.toThrow("cancelled");
  });
});
