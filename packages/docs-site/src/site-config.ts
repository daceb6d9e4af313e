/** The docs site: the Markdown files of docs/, built to static files that the gateway serves at /docs/guide/. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type DefaultTheme, defineConfig, type UserConfig } from "vitepress";
import { compressFiles } from "./compress-files.ts";
import { diagrams } from "./diagrams.ts";
import { externalScripts } from "./external-scripts.ts";
import { githubSlug } from "./github-slug.ts";
import { plainBraces } from "./plain-braces.ts";
import { repositoryLinks } from "./repository-links.ts";
import { readSidebar, type SidebarEntry } from "./sidebar.ts";
import { vueOfPages } from "./vue-of-pages.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../docs");
const DECISIONS = "decisions/";
const BASE = "/docs/guide/";
/** The search index, which is loaded when a reader opens the search. */
const CHUNK_KB_MAX = 2_000;

const scripts = externalScripts({ base: BASE });

export const siteConfig: UserConfig<DefaultTheme.Config> = defineConfig({
  title: "Planwright",
  description: "Documentation of Planwright: durable execution for AI agents",
  lang: "en",
  base: BASE,
  srcDir: DOCS,
  // For contributors, who have the repository.
  srcExclude: [`${DECISIONS}**`],
  outDir: path.resolve(import.meta.dirname, "../dist"),
  cacheDir: path.resolve(import.meta.dirname, "../node_modules/.cache/vitepress"),
  // Served as the index of its folder, as on GitHub.
  rewrites: (file) => file.replace(/(^|\/)README\.md$/, "$1index.md"),
  ignoreDeadLinks: "localhostLinks",
  vite: {
    plugins: [vueOfPages],
    build: {
      // A data: URL or an inline script would need a wider content security policy.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: CHUNK_KB_MAX,
      reportCompressedSize: false,
      license: { fileName: "THIRD_PARTY_LICENSES.md" },
    },
  },
  markdown: {
    html: false,
    // The braces of `GET /v1/plans/{planId}` are no attributes of its heading.
    attrs: false,
    anchor: { slugify: githubSlug },
    config(md) {
      repositoryLinks(md, { docs: DOCS, isPage });
      diagrams(md);
      plainBraces(md);
    },
  },
  transformHtml: (html) => scripts.transformHtml(html),
  async buildEnd({ outDir }) {
    await scripts.write(outDir);
    await compressFiles(outDir);
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    notFound: {
      title: "Page not found",
      quote: "The page may have moved. Search for it, or start at the index.",
      linkText: "All topics",
    },
    docFooter: { prev: "Previous", next: "Next" },
    search: { provider: "local" },
  },
});

/** Whether a file, relative to docs/, is a page of the site. */
function isPage(file: string): boolean {
  return file.endsWith(".md") && !file.startsWith("../") && !file.startsWith(DECISIONS);
}

function sidebar(): DefaultTheme.SidebarItem[] {
  return readSidebar(readFileSync(path.join(DOCS, "README.md"), "utf8")).map(({ title, groups }) => ({
    text: title,
    items: groups.flatMap((group): DefaultTheme.SidebarItem[] =>
      group.title === ""
        ? group.entries.map(itemOf)
        : [{ text: group.title, collapsed: true, items: group.entries.map(itemOf) }],
    ),
  }));
}

function itemOf({ text, page }: SidebarEntry): DefaultTheme.SidebarItem {
  return { text, link: `/${page.replace(/(^|\/)README\.md$/, "$1").replace(/\.md$/, "")}` };
}
