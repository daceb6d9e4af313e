/** Splits a program's text into kinds of tokens, line by line: enough for reading, not a parser. */

type TokenKind = "comment" | "string" | "number" | "keyword" | "text";
export type Token = { readonly kind: TokenKind; readonly text: string };

const JAVASCRIPT_WORDS =
  "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof interface let new null of return static super switch this throw true try type typeof undefined var void while yield";
const PYTHON_WORDS =
  "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield";

const JAVASCRIPT = grammar(
  String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`,
  String.raw`"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\`(?:[^\`\\]|\\[^])*\`?`,
  JAVASCRIPT_WORDS,
);
const PYTHON = grammar(
  String.raw`#[^\n]*`,
  String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?`,
  PYTHON_WORDS,
);

function grammar(comment: string, text: string, words: string): RegExp {
  const word = String.raw`(?<![\w$.])(?:${words.replaceAll(" ", "|")})(?![\w$])`;
  const number = String.raw`(?<![\w$])\d[\w.]*`;
  return new RegExp(
    `(?<comment>${comment})|(?<string>${text})|(?<keyword>${word})|(?<number>${number})`,
    "g",
  );
}

/** Each line's tokens; joined, they are the source. */
export function highlight(source: string, language: string): Token[][] {
  const pattern = language === "python" ? PYTHON : JAVASCRIPT;
  const lines: Token[][] = [[]];
  const add = (kind: TokenKind, text: string) => {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ kind, text: part });
    }
  };
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > end) add("text", source.slice(end, match.index));
    add(kindOf(match.groups ?? {}), match[0]);
    end = match.index + match[0].length;
  }
  add("text", source.slice(end));
  return lines;
}

const KINDS = ["comment", "string", "keyword", "number"] as const;

function kindOf(groups: Readonly<Record<string, string | undefined>>): TokenKind {
  return KINDS.find((kind) => groups[kind] !== undefined) ?? "text";
}
