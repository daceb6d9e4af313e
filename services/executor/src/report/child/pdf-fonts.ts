/** The fonts of the PDF: Latin, Greek, Cyrillic and more. Missing characters are detected before they are drawn as boxes. */
import { createRequire } from "node:module";
import path from "node:path";
import { openSync } from "fontkit";

export const FONT_FOLDER = path.join(
  path.dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf",
);
export const TEXT_FONT = "Text";
export const CODE_FONT = "Code";

const file = (name: string): string => path.join(FONT_FOLDER, `${name}.ttf`);

export const FONTS = {
  [TEXT_FONT]: {
    normal: file("DejaVuSansCondensed"),
    bold: file("DejaVuSansCondensed-Bold"),
    italics: file("DejaVuSansCondensed-Oblique"),
    bolditalics: file("DejaVuSansCondensed-BoldOblique"),
  },
  [CODE_FONT]: {
    normal: file("DejaVuSansMono"),
    bold: file("DejaVuSansMono-Bold"),
    italics: file("DejaVuSansMono-Oblique"),
    bolditalics: file("DejaVuSansMono-BoldOblique"),
  },
};

const SHOWN_MAX = 20;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Messages about the parts of a text that the PDF cannot show correctly. */
export function fontWarnings(text: string): string[] {
  const font = openSync(FONTS[TEXT_FONT].normal);
  const lacks = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0x7e && !("hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(code));
  };
  const missing = [...new Set(text)].filter(lacks);
  const shown = missing.slice(0, SHOWN_MAX).join(" ");
  const more = missing.length > SHOWN_MAX ? ` and ${missing.length - SHOWN_MAX} more` : "";
  return [
    ...(missing.length === 0 ? [] : [`the PDF's font lacks these characters: ${shown}${more}`]),
    ...(RIGHT_TO_LEFT.test(text) ? ["right-to-left text is written from left to right in the PDF"] : []),
  ];
}
