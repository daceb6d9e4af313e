/** The readable part of a web page, as Markdown. */
import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";
import type { Page, PageRequest } from "../page-reader.ts";
import { measureMarkup, stripMarkup, withBody } from "./markup.ts";
import { parseHTML } from "linkedom";

/** In deeper pages the parsers, which recurse for each level, take too long or fail. */
const DEPTH_MAX = 200;
/** With more tags, the search for an article takes seconds. */
const ARTICLE_TAGS_MAX = 10_000;
const ARTICLE_CHARS_MIN = 200;
const TITLE_CHARS_MAX = 500;
const NOT_CONTENT =
  "title, script, style, noscript, template, iframe, object, embed, svg, canvas, form, nav, [hidden], [aria-hidden=true]";

/** The article of a page if it has one, else all visible text. */
export function htmlToPage({ html, url }: PageRequest): Page {
  const { tags, depth } = measureMarkup(html);
  if (depth > DEPTH_MAX) return { title: null, text: stripMarkup(html) };
  const document = parsePage(withBody(html));
  const [titleElement] = document.querySelectorAll("title");
  const title = plain(titleElement?.textContent ?? "").slice(0, TITLE_CHARS_MAX);
  for (const element of document.querySelectorAll(NOT_CONTENT)) element.remove();
  for (const link of document.querySelectorAll("a[href]")) makeAbsolute(link, url);
  const everything = document.body?.innerHTML ?? "";
  const article = tags > ARTICLE_TAGS_MAX ? undefined : findArticle(document);
  return { title: title === "" ? null : title, text: toMarkdown(article ?? everything) };
}

/** Modifies the document. */
function findArticle(document: PageDocument): string | undefined {
  const article = new Readability(document, { charThreshold: ARTICLE_CHARS_MIN }).parse();
  return plain(article?.textContent ?? "").length < ARTICLE_CHARS_MIN
    ? undefined
    : (article?.content ?? undefined);
}

function makeAbsolute(link: PageElement, base: string): void {
  const target = URL.parse(link.getAttribute("href") ?? "", base);
  if (target !== null && /^https?:$/.test(target.protocol)) link.setAttribute("href", target.href);
  else link.removeAttribute("href");
}

function toMarkdown(html: string): string {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  turndown.remove(["img", "video", "audio"]);
  return turndown
    .turndown(html)
    .replaceAll(/[^\S\n]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The parts of a browser's document that are used here; the official types describe a whole browser. */
type PageDocument = {
  readonly body: PageElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>;
};

type PageElement = {
  readonly innerHTML: string;
  readonly textContent: string;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly removeAttribute: (name: string) => void;
  readonly remove: () => void;
};

function parsePage(html: string): PageDocument {
  const window: unknown = parseHTML(html);
  // The package declares a whole browser window, a type that Node does not have.
  return (window as { readonly document: PageDocument }).document;
}
