// What the site's Markdown rules make of a page, by the renderer that builds it.
import path from "node:path";
import { createMarkdownRenderer, type MarkdownRenderer } from "vitepress";
import { beforeAll, expect, it } from "vitest";
import { diagrams } from "./diagrams.ts";
import { githubSlug } from "./github-slug.ts";
import { plainBraces } from "./plain-braces.ts";
import { repositoryLinks } from "./repository-links.ts";

const DOCS = path.resolve("docs");
let md: MarkdownRenderer;

beforeAll(async () => {
  md = await createMarkdownRenderer(DOCS, {
    html: false,
    attrs: false,
    anchor: { slugify: githubSlug },
    config(renderer) {
      const isPage = (file: string) => file.endsWith(".md") && !/^(?:\.\.|decisions)\//.test(file);
      repositoryLinks(renderer, { docs: DOCS, isPage });
      diagrams(renderer);
      plainBraces(renderer);
    },
  });
});

const render = async (source: string, page = "cli.md") => {
  const file = path.join(DOCS, page);
  return md.renderAsync(source, { path: file, realPath: file, relativePath: page, cleanUrls: false });
};

it("links to pages of the site, and to a folder's index instead of its README", async () => {
  expect(await render("[a](data.md#csv)")).toContain('href="./data.html#csv"');
  expect(await render("[a](../steps.md)", "guides/embed.md")).toContain('href="./../steps.html"');
  // VitePress fails on it, because there is no such page.
  expect(await render("[a](nowhere.md)")).toContain('href="./nowhere.html"');
  expect(await render("[a](strategies/README.md)")).toContain('href="./strategies/"');
});

it("names a file of the repository that is not on the site, without a link", async () => {
  for (const target of ["../ARCHITECTURE.md", "../examples", "decisions/0041-documents-are-tested.md"]) {
    const html = await render(`See [the text](${target}).`);
    const file = path.posix.join("docs", target);
    expect(html).toContain(`<span title="In the repository: ${file}">the text</span>`);
    expect(html).not.toContain("<a");
  }
});

it("shows references and angle brackets as they are written", async () => {
  const html = await render("a {{s1.output}} and `{{item.url}}` <b>\n\n## GET /v1/plans/{planId}");
  expect(html).not.toContain("{{");
  expect(html).toContain("&#123;&#123;s1.output}}");
  expect(html).toContain("&lt;b&gt;");
  expect(html).toContain('id="get-v1plansplanid"');
});

it("draws diagrams while the page is rendered", async () => {
  const html = await render("```mermaid\nflowchart LR\n  first --> second\n```\n");
  expect(html).toMatch(/^<div class="diagram" style="--width: [\d.]+px" v-html="/);
  expect(html).toContain("&lt;svg");
});
