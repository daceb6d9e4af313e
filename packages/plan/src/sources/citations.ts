/** Finds the sources that a text cites, and those among them that no step of a plan knows. */
import type { KnownSources } from "./known-sources.ts";

/** `[Prices](https://a.example/prices)`. */
const LINK = /\[([^[\]\n]{0,300})\]\(\s*<?([^()\s<>]{1,2000})>?(?:\s+"[^"\n]{0,200}")?\s*\)/g;
const URL_TEXT = /https?:\/\/[^\s<>()[\]{}"'`|\\^]{1,2000}/gi;
/** `[s1]`, `[s1, prices.md]`, `(step s1)`, `(source: prices.md)`. */
const BRACKETS = /\[([^[\]\n]{1,300})\](?!\()|\(([^()\n]{1,300})\)/g;
/** `Source: prices.md` on a separate line. */
const SOURCE_LINE = /^([ \t>*_-]*(?:sources?|references?)[*_]*:[*_]*[ \t]*)(\S.{0,500})$/gim;
/** Removing a citation may reveal another one. */
const PASSES_MAX = 3;
const SEPARATOR = /[,;]\s*/;
const MARKER = /^(?:sources?|refs?|references?)\b:?\s*/i;
/** The form in which models number steps. */
const STEP = /^s\d{1,4}$/;
/** Text after `source:` that is a name, and not a description such as "the table of sales". */
const NAME = /[\p{Lu}\d]/u;
const DOCUMENT =
  /^[\w./~%() -]{0,200}\.(?:md|markdown|txt|pdf|docx?|xlsx?|csv|html?|json|xml|svg|eml)(?:[#:,].{0,100})?$/i;

/** The kind of an item in a bracket or in a list of sources. */
type Cited = "known" | "unknown" | "no source";

export type Checked = {
  readonly text: string;
  /** The sources that were removed, each once. */
  readonly removed: readonly string[];
};

/**
 * Removes the sources that no step of the plan knows from a text: URLs, and citations of steps, documents and files. The text of
 * a link stays.
 */
export function removeInvented(text: string, known: KnownSources): Checked {
  const removed = new Set<string>();
  let kept = text;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const before = removed.size;
    const next = withoutInvented(kept, known, removed);
    if (removed.size === before) break;
    kept = tidied(next);
  }
  return { text: kept, removed: [...removed] };
}

function withoutInvented(text: string, known: KnownSources, removed: Set<string>): string {
  const keeps = (item: string, isMarked: boolean): boolean => {
    if (citedBy(item, known, isMarked) !== "unknown") return true;
    removed.add(bare(item));
    return false;
  };
  return text
    .replaceAll(LINK, (link, label: string, target: string) => {
      if (isKnownName(target, known)) return link;
      removed.add(target);
      return label;
    })
    .replaceAll(URL_TEXT, (url) => {
      const { name, tail } = withoutPunctuation(url);
      if (isKnownName(name, known)) return url;
      removed.add(name);
      return tail;
    })
    .replaceAll(SOURCE_LINE, (line, head: string, rest: string) => {
      const items = rest.split(SEPARATOR);
      const kept = items.filter((item) => keeps(item, true));
      if (kept.length === items.length) return line;
      return kept.length === 0 ? "" : head + kept.join(", ");
    })
    .replaceAll(BRACKETS, (bracket, square?: string, round?: string) => {
      const { marker, items } = itemsOf(square ?? round ?? "");
      const kept = items.filter((item) => keeps(item, marker !== ""));
      if (kept.length === items.length) return bracket;
      const content = kept.length === 0 ? "" : marker + kept.join(", ");
      return square === undefined ? `(${content})` : `[${content}]`;
    });
}

/** Whether a text cites a source that a step of the plan knows. */
export function citesKnown(text: string, known: KnownSources): boolean {
  const urls = [...text.matchAll(URL_TEXT)].map(([url]) => withoutPunctuation(url).name);
  const targets = [...text.matchAll(LINK)].map(([, , target = ""]) => target);
  if ([...urls, ...targets].some((name) => isKnownName(name, known))) return true;
  return [...text.matchAll(BRACKETS)].some(([, square, round]) => {
    const { marker, items } = itemsOf(square ?? round ?? "");
    return items.some((item) => citedBy(item, known, marker !== "") === "known");
  });
}

function itemsOf(inside: string): { readonly marker: string; readonly items: readonly string[] } {
  const marker = MARKER.exec(inside)?.[0] ?? "";
  return { marker, items: inside.slice(marker.length).split(SEPARATOR) };
}

/** @param isMarked - Whether it follows a word such as `source:`, so that it is a source whatever it looks like. */
function citedBy(item: string, known: KnownSources, isMarked: boolean): Cited {
  const name = bare(item).replace(/^step\s+/i, "");
  if (known.steps.has(name)) return "known";
  const isNamed = DOCUMENT.test(name) || /^https?:/i.test(name) || STEP.test(name);
  if (!isNamed && !(isMarked && NAME.test(name))) return "no source";
  const lastWord = name.split(/\s+/).at(-1) ?? name;
  return isKnownName(name, known) || (DOCUMENT.test(name) && isKnownName(lastWord, known))
    ? "known"
    : "unknown";
}

/** For a document, its name without the folder is enough; for a URL, everything before the `#`. */
function isKnownName(name: string, known: KnownSources): boolean {
  const plain = name.replace(/#.*$/s, "").replace(/\/$/, "");
  if (plain === "" || known.mentions(plain)) return true;
  const file = plain.split("/").at(-1) ?? plain;
  return !/^https?:/i.test(plain) && file !== plain && known.mentions(file);
}

function bare(item: string): string {
  return item.trim().replaceAll(/^[`"'*_]+|[`"'*_.]+$/g, "");
}

function withoutPunctuation(url: string): { readonly name: string; readonly tail: string } {
  const tail = /[.,;:!?*_]*$/.exec(url)?.[0] ?? "";
  return { name: url.slice(0, url.length - tail.length), tail };
}

/** Removes the leftovers of a removal: empty brackets, and spaces before a full stop. */
function tidied(text: string): string {
  return text
    .replaceAll(/[ \t]*(?:\((?:sources?:?)?\s*\)|\[(?:sources?:?)?\s*\])/gi, "")
    .replaceAll(/[ \t]+([.,;:!?])/g, "$1")
    .replaceAll(/(\S)[ \t]{2,}(?=\S)/g, "$1 ")
    .replaceAll(/^[ \t]*(?:[-*][ \t]*)?(?:sources?|see)?:?[ \t]*$/gim, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
