// Programs that try to break out or to exhaust resources. None succeeds, and the next program runs as if nothing had happened.
import { afterAll, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** For programs that end without a limit, even on a busy machine. */
const patient = createSandbox({ deadlineMs: 120_000 });
const brief = createSandbox({ deadlineMs: 200 });
afterAll(() => {
  patient[Symbol.dispose]();
  brief[Symbol.dispose]();
});

let called: string[] = [];
async function run(code: string, sandbox: Sandbox = patient) {
  called = [];
  const host = {
    signal: new AbortController().signal,
    callTool: async (tool: string) => {
      called.push(tool);
      return { output: { html: "<script>" } };
    },
  };
  return await sandbox.run(
    { language: "javascript", code, input: { a: 1 }, tools: ["docs.search"], nowMs: 0 },
    host,
  );
}

/** The program's result, or the code of its failure. */
async function told(code: string) {
  const { end } = await run(code);
  return end.ok ? end.value : end.failure.code;
}

const stillServes = async () =>
  expect((await run("return [input.a, [1, 2].map((n) => n * 2), JSON.stringify({ a: 1 })]")).end).toEqual({
    ok: true,
    value: [1, [2, 4], '{"a":1}'],
  });

/** Each returns what it got hold of. */
const ESCAPES = [
  "this.constructor.constructor('return process')().env",
  "(() => {}).constructor('return process')().env",
  "(async () => {}).constructor('return process')()",
  "(function* () {}).constructor('return process')().next().value",
  "globalThis.process.env",
  "process.binding('fs')",
  "process.mainModule.require('child_process').execSync('id').toString()",
  "require('fs').readFileSync('/etc/passwd', 'utf8')",
  "(await import('node:fs')).readFileSync('/etc/passwd')",
  "(await import('data:text/javascript,export default 1')).default",
  "(0, eval)('process.env')",
  "new Function('return this.process.env')()",
  "Reflect.construct(Function, ['return process.env'])()",
  "fetch('http://127.0.0.1:80')",
  "new XMLHttpRequest()",
  "new WebSocket('ws://127.0.0.1')",
  "new Worker('data:,1')",
  "new SharedWorker('data:,1')",
  "Deno.env.toObject()",
  "Bun.env",
  "std.open('/etc/passwd', 'r').readAsString()",
  "os.exec(['id'])",
  "scriptArgs[0]",
  "WebAssembly.compile(new Uint8Array([0, 97, 115, 109]))",
  "setTimeout(() => {}, 1)",
  "setInterval(() => {}, 1)",
  "queueMicrotask.constructor('return process')()",
  "__ask('docs.search', '{}')",
  "__write('x')",
  "globalThis.__names.length",
  "tools.constructor.constructor('return process')()",
  "tools.docs.search.constructor('return process')()",
  "tools.__proto__.constructor('return process')()",
  "tools.docs.search({}).constructor.constructor('return process')()",
  "console.log.constructor('return process')().env",
  "Error.captureStackTrace({}, () => {}).stack[0].getThis().process",
  "(() => { Error.prepareStackTrace = (e, frames) => frames; return new Error().stack[0].getThis().process.env })()",
  "(() => { try { null.x } catch (e) { return e.constructor.constructor('return process')() } })()",
  "(() => { try { tools.docs.search(1n) } catch (e) { return e.constructor.constructor('return process')() } })()",
  "Object.getPrototypeOf(async () => {}).constructor('return process.env')()",
  "[].map.constructor('return process')()",
  "Symbol.constructor('return process')()",
  "import.meta.url",
  "arguments.callee.caller.toString()",
  "performance.constructor.constructor('return process')()",
  "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10).process.env",
  "new (class extends Function {})('return process')()",
  "`${{ toString() { return process.env } }}`",
  "structuredClone(globalThis).process.env",
  "navigator.sendBeacon('http://127.0.0.1', 'x')",
];

/** Each changes something that the sandbox may rely on; all return 1. */
const POLLUTIONS = [
  "Object.prototype.output = 'forged'; return 1",
  "Object.prototype.ok = true; Object.prototype.value = 'forged'; return 1",
  "Object.prototype.thrown = 1; return 1",
  "Object.prototype.toJSON = () => 'forged'; return 1",
  "Array.prototype.push = () => { throw 1 }; return 1",
  'JSON.stringify = () => \'{"value":"forged"}\'; return 1',
  "JSON.parse = () => ({ output: 'forged' }); tools.docs.search(); return 1",
  "String.prototype.slice = () => 'forged'; console.log('x'); return 1",
  "Promise.prototype.then = () => 'forged'; return 1",
  "Function.prototype.call = () => 'forged'; console.log('x'); return 1",
  "Function.prototype.bind = null; Object.freeze = null; return 1",
  "Object.setPrototypeOf(Object.prototype, null); return 1",
  "try { tools.docs.search = () => 'forged' } catch {} return tools.docs.search().html === '<script>' ? 1 : 0",
  "try { console.log = null } catch {} console.log('x'); return 1",
  "try { __run = null } catch {} return 1",
  "delete globalThis.Promise; delete globalThis.JSON; return 1",
  "Object.defineProperty(Object.prototype, '__proto__', { get() { throw 1 } }); return 1",
  "globalThis.constructor.prototype.process = {}; return 1",
];

/** Each is ended by a limit. */
const EXHAUSTIONS: [code: string, failure: string][] = [
  ["for (;;);", "deadline_exceeded"],
  ["while (true) try { throw 1 } catch {}", "deadline_exceeded"],
  ["try { for (;;); } finally { for (;;); }", "deadline_exceeded"],
  ["const again = () => Promise.resolve().then(again); await again()", "deadline_exceeded"],
  ["for await (const x of (async function* () { for (;;) yield 1 })());", "deadline_exceeded"],
  ["return '('.repeat(1e5).match(/(\\(+)+$x/)", "deadline_exceeded"],
  ["return /^(a+)+$/.test('a'.repeat(40) + 'b')", "deadline_exceeded"],
  ["return [...Array(1e5).keys()].sort(() => { for (;;); })", "deadline_exceeded"],
  ["return { toJSON() { for (;;); } }", "deadline_exceeded"],
  ["return { get a() { for (;;); } }", "deadline_exceeded"],
  ["return new Proxy({}, { ownKeys() { for (;;); } })", "deadline_exceeded"],
  ["throw { get message() { for (;;); } }", "deadline_exceeded"],
  ["throw { toString() { for (;;); } }", "deadline_exceeded"],
  ["const f = () => f(); f()", "code_error"],
  ["const f = () => [1].map(f); f()", "code_error"],
  ["let a = []; for (let n = 0; n < 1e5; n += 1) a = [a]; return a", "code_error"],
  ["return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))", "code_error"],
  ["return new Uint8Array(2 ** 31)", "code_error"],
  ["return 'x'.repeat(2 ** 30)", "code_error"],
  ["let s = 'x'; for (;;) s += s", "code_error"],
  ["return 'x'.repeat(3e6)", "result_too_large"],
  ["return Array(1e6).fill(1)", "result_too_large"],
  ["for (;;) tools.docs.search({})", "too_many_calls"],
  ["await new Promise(() => {})", "never_ends"],
  ["await { then() {} }", "never_ends"],
];

/** Each fills the memory; how it ends depends on which limit is reached first. */
const HOARDS = [
  "const all = []; for (;;) all.push(Array(1000).fill(1))",
  "const all = []; for (;;) all.push(new Uint8Array(1e6))",
  "const all = new Map(); for (let n = 0; ; n += 1) all.set(n, { n })",
  "const all = []; for (;;) all.push('x'.repeat(1000) + all.length)",
];

describe("a program cannot break out", () => {
  it.each(ESCAPES)("%s", async (code) => {
    const got = await told(
      `const got = await (${code}); return got === undefined ? null : [typeof got, got]`,
    );
    expect([null, "code_error", "syntax_error", "never_ends"]).toContain(got);
    await stillServes();
  });
});

describe("a program cannot change the next one", () => {
  it.each(POLLUTIONS)("%s", async (code) => {
    expect([1, "code_error", "invalid_result", "never_ends"]).toContain(await told(code));
    await stillServes();
  });
});

describe("a program is ended by a limit", () => {
  it.each(EXHAUSTIONS)("%s", async (code, failure) => {
    const { end } = await run(code, failure === "deadline_exceeded" ? brief : patient);
    expect(end).toMatchObject({ ok: false, failure: { code: failure } });
    await stillServes();
  });

  it.each(HOARDS)("%s", async (code) => {
    expect(await told(code)).toBe("out_of_memory");
    await stillServes();
  });
});

describe("a result that is not valid", () => {
  it.each([
    "return 10n",
    "return new Proxy({}, { get() { throw 1 } })",
    "const loop = {}; loop.loop = loop; return loop",
    "return { get a() { throw 1 } }",
    "return { toJSON() { throw 1 } }",
    "throw new Proxy({}, { get() { throw 1 } })",
    "})() }); 7; (async () => { (async () => {",
    "})() }); globalThis.__run = () => 7; (async () => { (async () => {",
    "})() }); JSON.stringify = null; (async () => { (async () => {",
  ])("%s", async (code) => {
    expect([null, "code_error", "invalid_result", "never_ends"]).toContain(await told(code));
    await stillServes();
  });
});

it("cannot call a tool that it was not given, by any name", async () => {
  for (const tool of ["sql.query", "docs.search.x", "__proto__", "constructor"]) {
    expect((await run(`return tools[${JSON.stringify(tool)}]({})`)).end.ok).toBe(false);
  }
  expect(called).toEqual([]);
});
