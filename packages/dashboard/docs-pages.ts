/** The module `virtual:docs-pages`: the docs site's pages, read from the index that the site's sidebar is built from. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "vite";
import { readSidebar } from "../docs-site/src/sidebar.ts";

const INDEX = path.resolve(import.meta.dirname, "../../docs/README.md");
const NAME = "virtual:docs-pages";
/** Vite passes modules whose name begins with a null byte to no other plugin. */
const RESOLVED = `\0${NAME}`;
/** Where the gateway serves the site. */
const BASE = "/docs/guide/";

export type DocsPage = { readonly title: string; readonly section: string; readonly href: string };

export function docsPages(): Plugin {
  return {
    name: "docs-pages",
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined;
      this.addWatchFile(INDEX);
      return `export const DOCS_PAGES = ${JSON.stringify(pagesOf(await readFile(INDEX, "utf8")))};`;
    },
  };
}

function pagesOf(index: string): DocsPage[] {
  return readSidebar(index).flatMap(({ title: part, groups }) =>
    groups.flatMap((group) =>
      group.entries.map(({ text, page }) => ({
        title: text,
        section: group.title === "" ? part : `${part} › ${group.title}`,
        href: BASE + page.replace(/(^|\/)README\.md$/, "$1").replace(/\.md$/, ""),
      })),
    ),
  );
}
