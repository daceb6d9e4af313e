/** The text of a Word document (Office Open XML) as Markdown: headings, lists and tables. */
import type { DocumentText } from "../text-extractor.ts";
import { brokenDocument } from "./broken-document.ts";
import { plainText, plainTitle, TEXT_CHARS_MAX } from "./plain-text.ts";
import { openArchive } from "./unzip.ts";
import { collectWordText } from "./word-text.ts";
import { decodeXml, xmlTokens, attributeOf } from "./xml-tokens.ts";

/** Of the parts that are read, unpacked. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/** @throws {PermanentError} `document_broken` also for archives that hold something else. */
export function docxToText(bytes: Uint8Array): DocumentText {
  const archive = openArchive(bytes, { bytesMax: UNPACKED_BYTES_MAX });
  const body = archive.read("word/document.xml")?.toString();
  if (body === undefined) throw brokenDocument("it is an archive without a Word document");
  const collected = collectWordText(headingStyles(archive.read("word/styles.xml")?.toString() ?? ""));
  for (const token of xmlTokens(body)) {
    collected.take(token);
    if (collected.chars() > TEXT_CHARS_MAX) break;
  }
  const core = archive.read("docProps/core.xml")?.toString() ?? "";
  return {
    title: plainTitle(decodeXml(/<dc:title>([^<]*)</.exec(core)?.[1] ?? "")),
    text: plainText(collected.end().join("\n\n")).slice(0, TEXT_CHARS_MAX),
    truncated: collected.chars() > TEXT_CHARS_MAX,
  };
}

const LEVELS_MAX = 6;

/** Which styles of a Word document are headings, and of which level; names are the same in every language. */
function headingStyles(styles: string): ReadonlyMap<string, number> {
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
