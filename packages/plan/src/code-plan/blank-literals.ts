/** Blanks the parts of a program's text that are not code, so that names are searched in code only. */

export type CodeLanguage = "javascript" | "typescript" | "python";

/** Matches each part of the text that is not code, once; nothing inside code matches. */
const NO_CODE: Readonly<Record<"javascript" | "python", RegExp>> = {
  // Comments, texts, then patterns where one is possible. The inserted expressions of a template are code and stay.
  javascript:
    /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|(?<=[(,=:[!&|?{};+\-*%<>~^]\s*|\breturn\s+|^\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g,
  python:
    /#[^\n]*|(?<![fF])(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$))|(?<![fF])(?:"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/g,
};

/** Returns the same text, line by line, with spaces in place of comments, quoted text and patterns. */
export function blankLiterals(code: string, language: CodeLanguage): string {
  return code.replaceAll(NO_CODE[language === "python" ? "python" : "javascript"], (found) =>
    found.replaceAll(/[^\n]/g, " "),
  );
}
