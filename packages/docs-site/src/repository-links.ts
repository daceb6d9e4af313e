/** Links as they are written for GitHub, made to work on the site. */
import path from "node:path";
import type { MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

type Options = { readonly docs: string; readonly isPage: (file: string) => boolean };

const EXTERNAL = /^(?:[a-z]+:|\/\/|#)/i;

/**
 * Makes links to a folder's `README.md` links to its index, and links to files that are not on the site plain text, with the
 * file's path as a tooltip. VitePress itself fails on links to pages that do not exist; `tests/documents.test.ts` finds the
 * other dead links.
 *
 * @param options.docs - The folder of the docs.
 * @param options.isPage - Whether a file, relative to that folder, is a page of the site.
 */
export function repositoryLinks(md: MarkdownRenderer, options: Options): void {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    // The file as it is in the repository: `path` is the one that VitePress shows it as.
    const { realPath: page } = env as { readonly realPath?: string };
    if (page === undefined) return;
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") isOutside = changeLink(token, page, options);
        else if (token.type === "link_close" && isOutside) {
          token.tag = "span";
          token.type = "repository_close";
        }
      }
    }
  });
}

/** @returns Whether the link leaves the site, and is none any more. */
function changeLink(token: Token, page: string, { docs, isPage }: Options): boolean {
  const href = token.attrGet("href") ?? "";
  if (EXTERNAL.test(href)) return false;
  const [place = ""] = decodeURI(href).split("#");
  const file = path.resolve(path.dirname(page), place);
  if (isPage(path.relative(docs, file).split(path.sep).join("/"))) {
    token.attrSet("href", href.replace(/\bREADME\.md(?=#|$)/, "index.md"));
    return false;
  }
  token.tag = "span";
  token.type = "repository_open";
  token.attrs = [["title", `In the repository: ${path.relative(path.dirname(docs), file)}`]];
  return true;
}
