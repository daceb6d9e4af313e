/** Scans markup in linear time, without building a tree. */

/** Never closed, or closed by the next tag, so they add no depth. */
const FLAT_TAGS: ReadonlySet<string> = new Set(
  "area base br col dd dt embed hr img input li link meta option p source td th tr track wbr".split(" "),
);

export type MarkupSize = { readonly tags: number; readonly depth: number };

/** Roughly counts the elements of a page and how deeply they are nested. */
export function measureMarkup(html: string): MarkupSize {
  let tags = 0;
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z\d-]*)[^<>]*>/gi)) {
    if (slash === "") tags += 1;
    if (FLAT_TAGS.has(name.toLowerCase())) continue;
    depth = slash === "" ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return { tags, depth: deepest };
}

/** The page with exactly one head and body, which authors can leave out. */
export function withBody(html: string): string {
  const inner = html.replaceAll(/<!doctype[^>]*>|<\/?(?:html|head|body)(?:\s[^<>]*)?>/gi, "");
  return `<!doctype html><html><head></head><body>${inner}</body></html>`;
}

/** The text between the tags, one piece per line. */
export function stripMarkup(html: string): string {
  return html
    .replaceAll(/<(script|style|noscript|template|svg)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi, " ")
    .replaceAll(/<[^<>]*>/g, "\n")
    .replaceAll(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, decodeEntity)
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith("#")) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
