// Python programs that try to break out or to exhaust resources. The walls are WebAssembly and the process, as for JavaScript;
// these tests show that Python's own ways end before them. Each first checks that it runs as if nothing had happened before.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findImage } from "./python/image-file.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

/** For programs that end without a limit, even on a busy machine. */
const patient = createSandbox({ deadlineMs: 120_000 });
const brief = createSandbox({ deadlineMs: 300 });
beforeAll(async () => void (await findImage()), 300_000);
afterAll(() => {
  patient[Symbol.dispose]();
  brief[Symbol.dispose]();
});

const WHOLE =
  "import json, math; assert [input, sum(n * 2 for n in (1, 2)), json.dumps({'a': [None]}), round(math.pi, 2), len('ab')] == [{'a': 1}, 6, '{\"a\": [null]}', 3.14, 2], 'spoiled'; ";

async function run(code: string, sandbox: Sandbox = patient) {
  const called: string[] = [];
  const { end } = await sandbox.run(
    { language: "python", code: WHOLE + code, input: { a: 1 }, tools: ["docs.search"], nowMs: 0 },
    {
      signal: new AbortController().signal,
      callTool: async (tool) => {
        called.push(tool);
        return { output: 1 };
      },
    },
  );
  return { called, told: end.ok ? end.value : end.failure.code, message: end.ok ? "" : end.failure.message };
}

const FOREIGN = [
  "os",
  "sys",
  "io",
  "builtins",
  "importlib",
  "subprocess",
  "socket",
  "ctypes",
  "pickle",
  "marshal",
  "inspect",
  "gc",
  "threading",
  "asyncio",
  "urllib.request",
  "pathlib",
  "shutil",
  "browser",
  "browser.ajax",
  "javascript",
  "interpreter",
  "posix",
];

/** Each tries to get hold of something that does not exist here; none succeeds. */
const ESCAPES = [
  "from browser import window; result = window",
  "from javascript import this; result = this",
  "result = __import__('os').listdir('/')",
  "result = __builtins__.__import__('os')",
  "exec('import os')",
  "eval('__import__(\"os\")')",
  "exec(compile('import os', 'VFS.random.py', 'exec'))",
  "exec('import os', {'__file__': 'VFS.random.py', '__name__': 'random'})",
  "__file__ = 'VFS.random.py'; import os",
  "json.__loader__.load_module('os')",
  "result = open('/etc/passwd').read()",
  "open('/tmp/x', 'w').write('x')",
  "json.codecs.open('/etc/passwd')",
  "result = (lambda: 0).__globals__['__builtins__'].open('/etc/passwd')",
  "result = __BRYTHON__.builtins",
  "result = window",
  "result = document",
  "result = globalThis",
  "result = self",
  "breakpoint()",
  "import time; result = time.window",
  "import re; result = re.enum.sys.modules['browser']",
  "import re; result = re.enum.sys.modules['javascript']",
  "import re; result = re.enum.sys.scope.eval('1')",
  "import random; random._os.system('id')",
  "import random; result = random._os.listdir('/')",
  "result = ''.constructor.constructor('return this')()",
  "result = [].constructor",
  "result = (1).constructor",
  "result = {}.__proto__",
  "result = print.constructor('return this')()",
  "result = tools.constructor",
  "result = tools._call('docs.search.constructor', 'return this')",
  "result = tools._call('constructor', {})",
  "result = tools._call('sql.query', {})",
  "result = tools.sql.query()",
  "tools._names.append('sql.query'); tools.sql.query()",
  "result = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ in ('Popen', 'FileIO', 'JSObject')][0]",
  "result = [c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter'][0].load_module('os')",
  "g = (x for x in [1]); result = g.gi_frame.f_back.f_back.f_globals['window']",
  "\ntry: 1 / 0\nexcept Exception as e: result = e.__traceback__.tb_frame.f_back.f_globals",
  "result = '{0.__class__.__init__.__globals__[os]}'.format(tools)",
  "result = f'{tools.__class__.__init__.__globals__[\"window\"]}'",
  "\nclass M(type):\n  def __getattr__(cls, name): return __import__(name)\nclass A(metaclass=M): pass\nresult = A.os",
  "import time; time.sleep(1)",
  "import json as j; j.loads('{}', object_hook=__import__('os').system)",
];

/** Each changes something that programs rely on; the next program finds it unchanged. */
const POLLUTIONS = [
  "json.dumps = lambda *a: 'forged'",
  "math.pi = 3; math.floor = None",
  "len = sum = print = None",
  "input.clear(); input['a'] = 'forged'",
  "__builtins__.len = lambda x: 7",
  "import re; re.enum.sys.stdout.write = None; re.enum.sys.modules.clear()",
  "\nclass str(str): pass\nclass dict(dict): pass",
  "import re; re.enum.sys.setrecursionlimit(10)",
  "json.JSONEncoder.encode = None; int.real = 1",
  "import random; random.seed = None; random.random = lambda: 7",
  "raise SystemExit",
  "\nclass A:\n  def __del__(self): print('x')\na = A(); del a",
];

/** Each is ended by a limit. */
const EXHAUSTIONS: [code: string, ...failures: string[]][] = [
  ["\nwhile True: pass", "deadline_exceeded"],
  ["\nwhile True:\n  try: 1 / 0\n  except: pass", "deadline_exceeded"],
  ["\ntry:\n  while True: pass\nfinally:\n  while True: pass", "deadline_exceeded"],
  ["\ndef g():\n  while True: yield 1\nfor _ in g(): pass", "deadline_exceeded"],
  ["sum(range(10 ** 12))", "deadline_exceeded"],
  ["\nclass A:\n  def __str__(self):\n    while True: pass\nraise Exception(A())", "deadline_exceeded"],
  ["\nwhile True: print('x' * 1000)", "deadline_exceeded"],
  ["\ndef f():\n  try: f()\n  finally: f()\nf()", "deadline_exceeded", "code_error"],
  ["result = 10 ** 10 ** 10", "deadline_exceeded", "code_error", "out_of_memory"],
  ["\ndef f(): return f()\nf()", "code_error"],
  ["\nclass A:\n  def __repr__(self): return repr(self)\nrepr(A())", "code_error"],
  ["eval('(' * 2000 + ')' * 2000)", "code_error", "syntax_error"],
  ["\nx = []\nfor _ in range(3000): x = [x]\nresult = x", "code_error"],
  ["x = []; x.append(x); result = x", "code_error"],
  ["x = {}; x['x'] = x; result = x", "code_error"],
  ["result = 'x' * 10 ** 10", "code_error", "out_of_memory"],
  ["result = bytearray(10 ** 10)", "code_error", "out_of_memory", "deadline_exceeded"],
  ["result = f'{1:>{10 ** 10}}'", "code_error", "out_of_memory"],
  ["s = 'x'\nwhile True: s += s", "code_error", "out_of_memory"],
  ["result = 'x' * 3 * 10 ** 6", "result_too_large"],
  ["\nwhile True: tools.docs.search(query='x')", "too_many_calls"],
  ["result = tools", "code_error"],
  ["result = (n for n in [1])", "code_error"],
  ["result = {1: {2: object()}}", "code_error"],
];

it("has no module that reaches outside", async () => {
  const found = `
result = []
for name in ${JSON.stringify(FOREIGN)}:
    try:
        exec(f"import {name}")
        result.append(name)
    except ModuleNotFoundError:
        pass`;
  expect(await run(found)).toMatchObject({ told: [] });
});

describe("a Python program cannot break out", () => {
  it.each(ESCAPES)("%s", async (code) => {
    const { told, message, called } = await run(code);
    expect(["code_error", "syntax_error"]).toContain(told);
    expect(message).not.toMatch(/spoiled|^InternalError/);
    expect(called).toEqual([]);
  });
});

describe("a Python program cannot change the next one", () => {
  it.each(POLLUTIONS)("%s", async (code) => {
    expect([null, "code_error"]).toContain((await run(code)).told);
    expect(await run("result = 1")).toMatchObject({ told: 1 });
  });
});

describe("a Python program is ended by a limit", () => {
  it.each(EXHAUSTIONS)("%s", async (code, ...failures) => {
    const { told } = await run(code, failures[0] === "deadline_exceeded" ? brief : patient);
    expect(failures).toContain(told);
  });

  it("runs out of memory", async () => {
    const hoard = "\nx = []\nwhile True: x.append('x' * 100000 + str(len(x)))";
    expect(await run(hoard)).toMatchObject({ told: "out_of_memory" });
    expect(await run("result = 1")).toMatchObject({ told: 1 });
  });
});
