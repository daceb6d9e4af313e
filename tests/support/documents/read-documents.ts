/** The documents of the repository, as a reader follows them. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { githubSlug } from "../../../packages/docs-site/src/github-slug.ts";

const PATTERNS = [
  "*.md",
  "docs/**/*.md",
  "examples/**/*.md",
  "benchmarks/*.md",
  "{packages,services}/*/README.md",
];
const FENCE =
  /^ {0,3}(?<marks>`{3,}|~{3,})(?<language>[\w-]*)[ \t]*(?<title>[^\n]*)\n(?<code>[\s\S]*?)^ {0,3}\k<marks>\s*$/gm;
/** A target may hold one level of brackets, as those of Wikipedia do. */
const LINK = /(?<mark>!?)\[(?:[^\][]|\[[^\][]*\])*\]\((?<target>(?:[^()\s]|\([^()\s]*\))+)(?:\s+"[^"]*")?\)/g;
const CODE_SPAN = /`([^`\n]+)`/g;

export type CodeBlock = {
  readonly language: string;
  /** What stands behind the language: the name of the file that it is, where it is one. */
  readonly title: string;
  readonly code: string;
  /** Where it begins in the document, in characters. */
  readonly offset: number;
};

export type Document = {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
  readonly links: readonly { readonly target: string; readonly isImage: boolean }[];
  /** What stands between single backticks, outside of blocks. */
  readonly codeSpans: readonly string[];
  readonly blocks: readonly CodeBlock[];
  /** What a link may name behind `#`, as GitHub makes it of the headings. */
  readonly anchors: ReadonlySet<string>;
};

/** Every document whose words are ours. */
export function readDocuments(): Document[] {
  const exclude = (name: string) => name === "node_modules";
  return globSync(PATTERNS, { exclude })
    .sort()
    .map((file) => readDocument(file.split(path.sep).join("/"), readFileSync(file, "utf8")));
}

export function readDocument(file: string, text: string): Document {
  const blocks = Array.from(text.matchAll(FENCE), ({ index, groups = {} }) => ({
    language: groups["language"] ?? "",
    title: groups["title"]?.trim() ?? "",
    code: groups["code"] ?? "",
    offset: index,
  }));
  const prose = text.replaceAll(FENCE, "");
  const withoutCode = prose.replaceAll(CODE_SPAN, "code");
  return {
    file,
    text,
    blocks,
    links: Array.from(withoutCode.matchAll(LINK), ({ groups = {} }) => ({
      target: groups["target"] ?? "",
      isImage: groups["mark"] === "!",
    })),
    codeSpans: Array.from(prose.matchAll(CODE_SPAN), ([, code = ""]) => code),
    anchors: new Set(anchorsOf(prose)),
  };
}

function anchorsOf(prose: string): string[] {
  const seen = new Map<string, number>();
  return Array.from(prose.matchAll(/^#{1,6} +(.+?) *#*$/gm), ([, heading = ""]) => {
    const slug = githubSlug(heading);
    const repeats = seen.get(slug) ?? 0;
    seen.set(slug, repeats + 1);
    return repeats === 0 ? slug : `${slug}-${repeats}`;
  });
}
