/** Finds the program in what a model has written. */
import type { CodeLanguage } from "./blank-literals.ts";
import type { Program } from "./check-program.ts";

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
 * The program of a reply: what stands between `<execute_…>` tags, else the longest fenced block, else the whole reply.
 *
 * @param wanted - The language that was asked for: what a program is written in that does not say it.
 * @returns Undefined when there is none.
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
