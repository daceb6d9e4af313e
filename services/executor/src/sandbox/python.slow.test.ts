// What a Python program can do, and how it ends. What it must not be able to do is tested in python-attacks.slow.test.ts.
import type { Json, JsonObject } from "@planwright/plan";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findImage } from "./python/image-file.ts";
import { createSandbox, type ToolOutcome } from "./sandbox.ts";

const sandbox = createSandbox({ deadlineMs: 120_000, toolCalls: 5, logBytes: 200, resultBytes: 1_000 });
// Built once per version of its contents.
beforeAll(async () => void (await findImage()), 300_000);
afterAll(() => sandbox[Symbol.dispose]());

const CALLS: Record<string, (args: JsonObject) => Promise<ToolOutcome>> = {
  "docs.search": async (args) => ({ output: { found: [args] } }),
  "sql.query": async () => ({ error: { code: "invalid_sql", message: "no such table" } }),
};

function run(code: string, input: Json = null, state?: JsonObject) {
  const callTool = (tool: string, args: JsonObject) => CALLS[tool]?.(args) ?? Promise.reject(new Error(tool));
  return sandbox.run(
    { language: "python", code, input, state, tools: Object.keys(CALLS), nowMs: 1_700_000_000_000 },
    { signal: new AbortController().signal, callTool },
  );
}

const endOf = async (code: string, input?: Json) => (await run(code, input)).end;

describe("a Python program's state", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["state['n'] += 1", { n: 1 }, { n: 2 }],
    ["state = {**state, 'm': [None]}", { n: 1 }, { n: 1, m: [null] }],
    ["pass", { n: 1.5 }, { n: 1.5 }],
  ])("after %s of %j is %j", async (code, state, left) => {
    expect((await run(code, null, state)).end).toMatchObject({ ok: true, state: left });
  });

  it("is an object, and only exists when it is given", async () => {
    expect((await run("state = 1", null, {})).end).toMatchObject({ failure: { code: "invalid_result" } });
    expect((await run("state = {1: object()}", null, {})).end).toMatchObject({
      failure: { code: "code_error" },
    });
    expect(await endOf("result = 'state' in globals()")).toEqual({ ok: true, value: false });
  });
});

describe("a Python program", () => {
  it.each<[string, Json]>([
    ["result = sum(row['n'] for row in input['rows'])", 3],
    ["pass", null],
    ["result = None", null],
    [
      "result = {'a': (1, 2.5, True), 'b': [None, 'ü', '🕶', {}], 3: 4}",
      { a: [1, 2.5, true], b: [null, "ü", "🕶", {}], 3: 4 },
    ],
    ["answer_text = 'Yes.'\nSTATUS = 'success'", { answer_text: "Yes.", STATUS: "success" }],
    [
      "result = input['half'] * 2, input['word'][::-1], len(input['face']), type(input['rows']).__name__",
      [1, "ba", 1, "list"],
    ],
    ["import re\nresult = re.findall(r'\\$(\\d+)', 'under $100 or $20')", ["100", "20"]],
    [
      "from datetime import datetime, timedelta\nresult = (datetime(2026, 1, 31) + timedelta(days=1)).isoformat()",
      "2026-02-01T00:00:00",
    ],
    [
      "from datetime import datetime\nresult = datetime.strptime('2026-01-02', '%Y-%m-%d').strftime('%d.%m.%y')",
      "02.01.26",
    ],
    ["import datetime\nresult = datetime.datetime.now().isoformat()", "2023-11-14T22:13:20"],
    ["import json\nresult = json.loads(json.dumps({'a': [1, None, True]}))", { a: [1, null, true] }],
    ["from collections import Counter, defaultdict\nresult = Counter('abca').most_common(1)", [["a", 2]]],
    ["import math, statistics\nresult = [math.floor(2.5), statistics.median([1, 5, 3])]", [2, 3]],
    ["from decimal import Decimal\nresult = str(Decimal('0.1') + Decimal('0.2'))", "0.3"],
    [
      "from itertools import groupby\nfrom functools import reduce\nresult = [reduce(lambda a, b: a + b, g) for _, g in groupby([1, 1, 2])]",
      [2, 2],
    ],
    ["from collections import deque\nresult = list(deque([1, 2, 3], maxlen=2))", [2, 3]],
    [
      "result = [round(2.675, 2), round(1250, -2), round(-0.5), f'{2.5:.0f}', f'{1.005:.2f}', f'{0.256:.0%}']",
      [2.67, 1200, 0, "2", "1.00", "26%"],
    ],
    [
      "from typing import Optional\nclass Item:\n    def __init__(self, n: Optional[int]): self.n = n\nresult = Item(4).n",
      4,
    ],
    [
      "def f(n):\n    global seen\n    seen = n\n    yield n\nresult = [list(f(2)), seen, __name__]",
      [[2], 2, "__main__"],
    ],
    ["match input:\n    case {'half': h}: result = h", 0.5],
    ["result = f\"{1234.5:,.2f} {'a':>3} {0.256:.0%}\"", "1,234.50   a 26%"],
  ])("%s", async (code, value) => {
    const input = { rows: [{ n: 1 }, { n: 2 }], half: 0.5, word: "ab", face: "🕶" };
    expect(await endOf(code, input)).toEqual({ ok: true, value });
  });

  it("does the same each time it runs, and finds no trace of the one before", async () => {
    const code =
      "import random, time\nresult = [random.random(), random.randint(1, 9**9), time.time(), 'left' in globals()]\nleft = 1";
    const first = await endOf(code);
    expect(await endOf(code)).toEqual(first);
    expect(first).toMatchObject({ value: [expect.any(Number), expect.any(Number), 1_700_000_000, false] });
  });

  it("continues with the state of the previous program", async () => {
    const program = { language: "python", input: null, tools: [], nowMs: 0 } as const;
    const host = {
      signal: new AbortController().signal,
      callTool: () => Promise.reject(new Error("no tools")),
    };
    const code = "state['seen'].append(len(state['seen']))\nresult = state['seen'][-1]";
    const first = await sandbox.run({ ...program, code, state: { seen: [] } }, host);
    expect(first.end).toEqual({ ok: true, value: 0, state: { seen: [0] } });
    const odd = await sandbox.run({ ...program, code: "state = 7", state: {} }, host);
    expect(odd.end).toMatchObject({ ok: false, failure: { code: "invalid_result" } });
  });

  it("prints lines, up to a limit", async () => {
    expect(
      await run("print('a', {'b': 1}, sep='-')\nprint('c', end='')\nprint('d\\ne', end='')"),
    ).toMatchObject({
      logs: ["a-{'b': 1}", "cd", "e"],
      logsCut: false,
    });
    expect(await run("for n in range(100): print('line', n)")).toMatchObject({
      end: { ok: true },
      logsCut: true,
    });
  });

  it("calls tools by name, with keyword arguments or a single dict", async () => {
    expect(
      await endOf(
        "result = tools.docs.search(query='x')['found'] + tools.docs.search({'query': 'y'})['found']",
      ),
    ).toEqual({
      ok: true,
      value: [{ query: "x" }, { query: "y" }],
    });
    const caught =
      "try:\n    tools.sql.query(sql='x')\nexcept Exception as error:\n    result = [type(error).__name__, error.code, str(error)]";
    expect(await endOf(caught)).toEqual({ ok: true, value: ["ToolError", "invalid_sql", "no such table"] });
    expect(await endOf("tools.mail.send()")).toMatchObject({
      failure: { message: "ToolError: there is no tool mail; there are: docs.search, sql.query", line: 1 },
    });
  });
});

describe("a Python program that fails", () => {
  it.each([
    ["x = 1\n\nx / 0", { code: "code_error", message: "ZeroDivisionError: division by zero", line: 3 }],
    ["def f():\n    return {}['a']\n\nf()", { code: "code_error", message: "KeyError: 'a'", line: 2 }],
    ["import json\n\njson.loads('{')", { code: "code_error", message: /^JSONDecodeError: /, line: 3 }],
    ["x = 1\nif x\n    pass", { code: "syntax_error", message: /^SyntaxError: /, line: 2 }],
    ["class Odd(Exception): pass\nraise Odd('why')", { code: "code_error", message: "Odd: why", line: 2 }],
    [
      "import os",
      {
        code: "code_error",
        message: /^ModuleNotFoundError: No module named 'os'; a program may import __future__, abc/,
        line: 1,
      },
    ],
    [
      "result = {'at': [1, {2}]}",
      { code: "code_error", message: "TypeError: result.at[1]: a value of type set is no JSON value" },
    ],
    ["result = float('nan')", { code: "code_error", message: "TypeError: result: NaN is no JSON value" }],
    [
      "result = 10 ** 20",
      { code: "code_error", message: "TypeError: result: the whole number is too large, give it as text" },
    ],
    ["result = 'x' * 2000", { code: "result_too_large" }],
    ["exit()", { code: "code_error", message: /^SystemExit/ }],
  ])(
    "%s",
    async (code, {
      message = "",
      ...failure
    }: { code: string; message?: string | RegExp; line?: number }) => {
      const end = await endOf(code);
      expect(end).toMatchObject({ ok: false, failure });
      expect(end.ok ? "" : end.failure.message).toMatch(message);
    },
  );
});
