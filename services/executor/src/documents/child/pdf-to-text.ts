/** The text of a PDF, page by page, extracted with Mozilla's PDF.js. */
import { PermanentError } from "@planwright/shared/errors";
import { getDocumentProxy } from "unpdf";
import { z } from "zod";
import type { DocumentText } from "../text-extractor.ts";
import { brokenDocument } from "./broken-document.ts";
import { plainText, plainTitle, TEXT_CHARS_MAX } from "./plain-text.ts";

const PAGES_MAX = 2_000;
/** After this many missing pages in a row, the PDF is assumed to claim more pages than it has. */
const MISSING_MAX = 20;

/** A piece of a page's text; items for marked content have none. */
const TextItem = z.object({ str: z.string(), hasEOL: z.boolean().default(false) });
const Metadata = z.object({ info: z.object({ Title: z.unknown() }) });

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Puts each page under a line `--- page 3 ---`. */
export async function pdfToText(bytes: Uint8Array): Promise<DocumentText> {
  const pdf = await open(bytes);
  const pages = pdf.numPages;
  const parts: string[] = [];
  let chars = 0;
  let readable = 0;
  let missing = 0;
  let page = 1;
  for (; page <= Math.min(pages, PAGES_MAX) && chars <= TEXT_CHARS_MAX && missing < MISSING_MAX; page += 1) {
    const text = await textOf(pdf, page);
    missing = text === undefined ? missing + 1 : 0;
    if (text !== undefined) readable += 1;
    if (text === undefined || text === "") continue;
    parts.push(`--- page ${page} ---\n\n${text}`);
    chars += text.length;
  }
  if (readable === 0) throw brokenDocument("none of these pages exists");
  if (parts.length === 0) {
    throw new PermanentError(`the PDF has ${pages} pages and no text: they may be images`, {
      code: "no_text",
    });
  }
  return {
    title: await titleOf(pdf),
    text: plainText(parts.join("\n\n").slice(0, TEXT_CHARS_MAX)),
    pages,
    truncated: page <= pages || chars > TEXT_CHARS_MAX,
  };
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // PDF.js rejects a Buffer.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw new PermanentError("the PDF is encrypted: it needs a password", {
        code: "document_encrypted",
        cause,
      });
    }
    throw brokenDocument("it is not a complete PDF", cause);
  }
}

/** Undefined when the page is missing. */
async function textOf(pdf: Pdf, number: number): Promise<string | undefined> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = items.map((item) => {
      const { str, hasEOL } = TextItem.safeParse(item).data ?? { str: "", hasEOL: false };
      return hasEOL ? `${str}\n` : str;
    });
    return plainText(text.join(""));
  } catch {
    // One bad page is no reason to lose the others.
    return undefined;
  }
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  try {
    return plainTitle(Metadata.safeParse(await pdf.getMetadata()).data?.info.Title);
  } catch {
    return null;
  }
}
