/** Extracts the program from a model's reply. */
import { type CodeLanguage, blankLiterals } from "./blank-literals.ts";
import type { Issue } from "../events/values.ts";

const LANGUAGE_OF: Readonly<Record<string, CodeLanguage>> = {
  javascript: "javascript",
  js: "javascript",
  typescript: "typescript",
  ts: "typescript",
  python: "python",
  py: "python",
};
const TAGGED = /<execute_(javascript|js|typescript|ts|python|py)>([^]*?)(?:<\/execute_\1>|$)/i;
const FENCED = /^[ \t]*(`{3,}|~{3,})[ \t]*(\w*)[^\n]*\n([^]*?)(?:^[ \t]*\1|$(?![^]))/gm;

/**
 * The program of a reply: the text between `<execute_…>` tags, else the longest fenced block, else the whole reply.
 *
 * @param wanted - The requested language, which is assumed when the program does not state one.
 * @returns Undefined if the reply contains no program.
 */
export function extractProgram(reply: string, wanted: CodeLanguage): Program | undefined {
  const tagged = TAGGED.exec(reply);
  if (tagged !== null) {
    const [, tag = "", code = ""] = tagged;
    return programOf(withoutFence(code), languageOf(tag, wanted));
  }
  const blocks = fencedIn(reply);
  const [longest] = blocks.toSorted((left, right) => right.code.length - left.code.length);
  if (longest !== undefined) return programOf(longest.code, languageOf(longest.language, wanted));
  return programOf(reply, wanted);
}

function programOf(code: string, language: CodeLanguage): Program | undefined {
  const text = code.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  return text === "" ? undefined : { language, code: text };
}

/** Models put fences inside the tags too. */
function withoutFence(code: string): string {
  const [only] = fencedIn(code);
  return only?.code ?? code;
}

function fencedIn(text: string): { language: string; code: string }[] {
  return Array.from(text.matchAll(FENCED), ([, , language = "", code = ""]) => ({ language, code }));
}

function languageOf(name: string, wanted: CodeLanguage): CodeLanguage {
  return LANGUAGE_OF[name.toLowerCase()] ?? wanted;
}

/**
 * Names that a program must not use. This check is not the security boundary; the sandbox is, and it provides none
 * of them. The check tells the program's author what is wrong before anything runs.
 */
export type Program = { readonly language: CodeLanguage; readonly code: string };

const ISSUES_MAX = 20;

type Forbidden = { readonly pattern: RegExp; readonly what: string };

/** Not as a property name: `row.process` is a column. */
const alone = (words: string) => new RegExp(String.raw`(?<![.\w$])(?:${words})\b`, "g");

const NETWORK = "reach the network";
const PROCESS = "reach the process around it";
const FILES = "open files";
const CODE = "run text as code";
const TIMERS = "wait";
const INSIDES = "reach into the language itself";

const JAVASCRIPT: readonly Forbidden[] = [
  { pattern: /(?<![.\w$])import\b/g, what: "load modules" },
  { pattern: /(?<![.\w$])export\b/g, what: "load modules" },
  { pattern: alone("require"), what: "load modules" },
  { pattern: alone("process|Deno|Bun|module|exports|__(?:dir|file)name"), what: PROCESS },
  { pattern: alone("globalThis|global|window|self"), what: "reach global names" },
  { pattern: /(?<![.\w$])eval\b|(?<![.\w$])(?:new\s+)?Function\s*\(/g, what: CODE },
  { pattern: alone("fetch|XMLHttpRequest|WebSocket|EventSource"), what: NETWORK },
  { pattern: alone("set(?:Timeout|Interval|Immediate)|queueMicrotask"), what: TIMERS },
  { pattern: /\.\s*constructor\b|\b__proto__\b|\b__define[GS]etter__\b/g, what: INSIDES },
];

/** Modules of the standard library that only calculate and reach nothing outside the program. */
const PYTHON_MODULES = new Set(
  "__future__ collections dataclasses datetime decimal fractions functools itertools json math operator random re statistics string tinydb typing".split(
    " ",
  ),
);
const PYTHON: readonly Forbidden[] = [
  { pattern: alone("eval|exec|compile|__import__"), what: CODE },
  { pattern: /(?<![.\w])open\s*\(/g, what: FILES },
  { pattern: /(?<![.\w])input\s*\(/g, what: "ask for input" },
  {
    pattern: alone("os|sys|subprocess|socket|shutil|pathlib|importlib|ctypes|threading|builtins"),
    what: PROCESS,
  },
  { pattern: alone("urllib|requests|http|httpx"), what: NETWORK },
  { pattern: /(?<![.\w])(?:globals|locals|vars|getattr|setattr|delattr|breakpoint)\s*\(/g, what: INSIDES },
  { pattern: /\.\s*__\w+__|(?<![.\w])__(?:builtins|loader|spec)__\b/g, what: INSIDES },
];
const PYTHON_IMPORT = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))/gm;

/** @returns The forbidden names that the program uses, with their lines, at most 20; empty if it can run. */
export function checkProgram({ language, code }: Program): Issue[] {
  const text = blankLiterals(code, language);
  const found =
    language === "python" ? [...pythonImports(text), ...named(text, PYTHON)] : [...named(text, JAVASCRIPT)];
  return found
    .toSorted((left, right) => left.at - right.at)
    .slice(0, ISSUES_MAX)
    .map(({ at, word, what }) => ({
      code: "forbidden_code",
      field: `line ${lineOf(text, at)}`,
      message: `line ${lineOf(text, at)}: ${word} is not allowed: a program has no way to ${what}`,
    }));
}

/** @returns The results that the program must set but never names, and the forbidden names that it uses. */
export function issuesOfProgram(program: Program): Issue[] {
  const text = blankLiterals(program.code, program.language);
  const missing = ["answer_text", "STATUS"]
    .filter((name) => !new RegExp(String.raw`\b${name}\b`).test(text))
    .map((name) => ({
      code: "missing_answer",
      field: name,
      message: `the program never sets ${name}, which every program must`,
    }));
  return [...checkProgram(program), ...missing];
}

type Found = { readonly at: number; readonly word: string; readonly what: string };

function* named(text: string, forbidden: readonly Forbidden[]): Generator<Found> {
  for (const { pattern, what } of forbidden) {
    for (const match of text.matchAll(pattern)) {
      yield { at: match.index, word: match[0].replaceAll(/[\s(]+/g, " ").trim(), what };
    }
  }
}

function* pythonImports(text: string): Generator<Found> {
  for (const match of text.matchAll(PYTHON_IMPORT)) {
    const [, from, list = ""] = match;
    const modules =
      from === undefined
        ? list.split(",").map((name) => name.trim().split(/[\s.]/)[0] ?? "")
        : [from.split(".")[0] ?? ""];
    for (const name of modules) {
      if (PYTHON_MODULES.has(name)) continue;
      // Names that are forbidden anyway are reported once.
      if (PYTHON.some(({ pattern }) => new RegExp(pattern.source).test(name))) continue;
      yield { at: match.index, word: `import ${name}`, what: "load modules" };
    }
  }
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
