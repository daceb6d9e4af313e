import { attributeOf, xmlTokens } from "./xml-tokens.ts";

const LEVELS_MAX = 6;

/** Which styles of a Word document are headings, and of which level; names are the same in every language. */
export function headingStyles(styles: string): ReadonlyMap<string, number> {
  const levels = new Map<string, number>([["Title", 1]]);
  for (let level = 1; level <= LEVELS_MAX; level += 1) levels.set(`Heading${level}`, level);
  let style: string | undefined;
  for (const token of xmlTokens(styles)) {
    if (token.kind !== "open") continue;
    if (token.name === "w:style") style = attributeOf(token.attributes, "w:styleId");
    if (token.name !== "w:name" || style === undefined) continue;
    const name = attributeOf(token.attributes, "w:val") ?? "";
    const level = Number(/^heading (\d)$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? 1 : 0));
    if (level >= 1 && level <= LEVELS_MAX) levels.set(style, level);
  }
  return levels;
}
