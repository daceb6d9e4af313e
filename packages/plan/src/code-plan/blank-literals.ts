/** Takes out of a program's text what is not code, so that words are looked for in code alone. */

export type CodeLanguage = "javascript" | "typescript" | "python";

/** Each part of the text that is no code matches once, at its own place; what stands in code matches nothing. */
const NO_CODE: Readonly<Record<"javascript" | "python", RegExp>> = {
  // Comments, texts, then patterns where one can stand. What a template inserts is code again, and stays.
  javascript:
    /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|(?<=[(,=:[!&|?{};+\-*%<>~^]\s*|\breturn\s+|^\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g,
  python:
    /#[^\n]*|(?<![fF])(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$))|(?<![fF])(?:"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/g,
};

/** The same text, line by line, with spaces in the place of comments, of what stands in quotes, and of patterns. */
export function blankLiterals(code: string, language: CodeLanguage): string {
  return code.replaceAll(NO_CODE[language === "python" ? "python" : "javascript"], (found) =>
    found.replaceAll(/[^\n]/g, " "),
  );
}
