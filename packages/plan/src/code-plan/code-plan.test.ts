import { describe, expect, it } from "vitest";
import { blankLiterals } from "./blank-literals.ts";
import { checkProgram, issuesOfProgram, extractProgram } from "./extract-program.ts";
import { codePlan } from "./code-plan.ts";
import { readsOnly } from "./reads-only.ts";

describe("the program of a reply", () => {
  it.each([
    [
      "tags",
      'Sure!\n<execute_javascript>\nlet STATUS = "success";\n</execute_javascript>\nDone.',
      "javascript",
      'let STATUS = "success";',
    ],
    [
      "tags of another language than asked for",
      "<execute_python>\nSTATUS = 1\n</execute_python>",
      "python",
      "STATUS = 1",
    ],
    ["tags around a fence", "<execute_python>\n```python\nx = 1\n```\n</execute_python>", "python", "x = 1"],
    ["a tag that is never closed", "<EXECUTE_JS>\nconst x = 1", "javascript", "const x = 1"],
    [
      "the longest of several fences",
      "```json\n{}\n```\nthen\n```ts\nconst x: number = 1;\n```\nend",
      "typescript",
      "const x: number = 1;",
    ],
    ["a fence that is never closed", "```js\nconst x = 1", "javascript", "const x = 1"],
    ["a fence that names no language", "~~~\nconst x = 1\n~~~", "javascript", "const x = 1"],
    [
      "nothing but itself",
      "\n\n  const x = 1\n  const y = 2\n",
      "javascript",
      "  const x = 1\n  const y = 2",
    ],
  ])("is found in %s", (_where, reply, language, code) => {
    expect(extractProgram(reply, "javascript")).toEqual({ language, code });
  });

  it("is missing in an empty reply", () => {
    expect(extractProgram(" \n ", "javascript")).toBeUndefined();
    expect(extractProgram("<execute_python>\n</execute_python>", "javascript")).toBeUndefined();
  });
});

const js = (code: string) => checkProgram({ language: "javascript", code }).map(({ message }) => message);
const py = (code: string) => checkProgram({ language: "python", code }).map(({ message }) => message);

describe("a forbidden name in a program", () => {
  it.each([
    [`import fs from "node:fs"`, "import"],
    [`const fs = await import("fs")`, "import"],
    [`const os = require("os")`, "require"],
    [`process.env.KEY`, "process"],
    [`x = globalThis.process`, "globalThis"],
    [`eval("1")`, "eval"],
    [`new Function("return 1")()`, "new Function"],
    [`[].constructor.constructor`, ".constructor"],
    [`({}).__proto__`, "__proto__"],
    ["await fetch(`https://x/${1}`)", "fetch"],
    ["`${process.pid}`", "process"],
    [`setTimeout(() => 1, 5)`, "setTimeout"],
  ])("is found in JavaScript: %s", (code, word) => {
    expect(js(`const a = 1;\n${code}`)[0]).toContain(`line 2: ${word} is not allowed`);
  });

  it.each([
    ["import os", "os"],
    ["from os import path", "os"],
    ["import json, subprocess", "subprocess"],
    ["import numpy as np", "import numpy"],
    [`open("/etc/passwd")`, "open"],
    [`eval("1")`, "eval"],
    [`__import__("os")`, "__import__"],
    ["().__class__.__bases__", ".__class__"],
    [`getattr(x, "y")`, "getattr"],
    [`f"{open('x')}"`, "open"],
    ["import urllib.request", "urllib"],
  ])("is found in Python: %s", (code, word) => {
    expect(py(`a = 1\n${code}`)[0]).toContain(`line 2: ${word} is not allowed`);
  });

  it("is ignored in comments, texts, patterns and column names", () => {
    expect(
      js(`// process the return, then import nothing
        /* eval( */ const text = "We process your import"; const t = 'fetch';
        const found = /require\\(eval/.test(text); row.process = 1; return { import: row.fetch }.import / 2;`),
    ).toEqual(["line 3: import is not allowed: a program has no way to load modules"]);
    expect(
      py(`# import os
import re, json
from datetime import datetime
"""eval( open( """
text = "import os; open('x')"
row.os = 'sys'`),
    ).toEqual([]);
  });

  it("is reported at most twenty times", () => {
    expect(js("eval(1)\n".repeat(50))).toHaveLength(20);
  });

  it("is not the only issue: a missing answer is reported too", () => {
    expect(
      issuesOfProgram({ language: "javascript", code: `const x = "answer_text"; STATUS = "success"` }),
    ).toEqual([
      {
        code: "missing_answer",
        field: "answer_text",
        message: "the program never sets answer_text, which every program must",
      },
    ]);
    expect(issuesOfProgram({ language: "python", code: `answer_text = "x"\nSTATUS = "success"` })).toEqual(
      [],
    );
  });

  it("is found on its line: blanking literals keeps line numbers", () => {
    expect(blankLiterals(`a\n"b" /* c\nd */ e`, "javascript")).toBe("a\n        \n     e");
  });
});

describe("a read-only request", () => {
  it.each([
    ["Do you have any round sunglasses in stock that are under $100?", true],
    ["How many pairs of Aviator are left?", true],
    ["Show me everything under 50", true],
    ["Return 2 Aviator sunglasses I bought last week.", false],
    ["I want to buy 3 pairs of classic sunglasses and 1 pair of aviator sunglasses.", false],
    ["Can you tell me whether I can return these?", false],
    ["What would you charge me? Then place the order.", false],
    ["Zwei Classic, bitte", false],
  ])("%s %s", (request, expected) => {
    expect(readsOnly(request)).toBe(expected);
  });
});

describe("the plan of a program", () => {
  const program = { language: "javascript", code: `answer_text = "x"; STATUS = "success"` } as const;

  it("runs it on a copy, and applies its changes if there are any", () => {
    const { steps, answerFrom } = codePlan(program, { goal: "Buy {{3}}", source: "store", applies: true });
    expect(steps.map((step) => [step.id, step.tool, "when" in step ? step.when : undefined])).toEqual([
      ["dryrun", "data.dryrun", undefined],
      ["apply", "data.apply", "dryrun.output.changed"],
    ]);
    expect(steps[0]?.args).toEqual({ source: "store", ...program, request: "Buy { {3}}" });
    expect(answerFrom).toBe("apply");
  });

  it.each([
    ["a request that only reads", "How many are left?", true],
    ["a source that is only read", "Buy 3", false],
  ])("has one step for %s", (_what, goal, applies) => {
    const { steps, answerFrom } = codePlan(program, { goal, source: "store", applies });
    expect(steps.map(({ args }) => args["readOnly"])).toEqual([true]);
    expect(answerFrom).toBe("dryrun");
  });
});
