/** Turns the bytes of a page, a text or a document into text that a model can read. */
import { PermanentError } from "@planwright/shared/errors";
import type { PageReader } from "../page/page-reader.ts";
import { documentKindOf } from "./document-kind.ts";
import type { DocumentText, TextExtractor } from "./text-extractor.ts";

export type Readable = {
  /** Where it came from: for links, and for errors. */
  readonly url: string;
  /** Empty when unknown. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Whether more bytes were there than these. */
  readonly truncated: boolean;
};

export type ReadDocument = DocumentText & { readonly kind: "pdf" | "docx" | "text" };

export type DocumentReader = {
  /**
   * @throws {PermanentError} As `PageReader` and `TextExtractor` do; `document_too_large` when only a part is there of
   *   what cannot be read in parts.
   */
  read(readable: Readable, options: { readonly signal: AbortSignal }): Promise<ReadDocument>;
};

export function createDocumentReader({
  pages,
  extractor,
}: {
  readonly pages: PageReader;
  readonly extractor: TextExtractor;
}): DocumentReader {
  return {
    async read({ url, contentType, bytes, truncated }, options) {
      const kind = documentKindOf(bytes, contentType);
      if (kind === undefined) {
        const page = await pages.read({ url, contentType, bytes }, options);
        return { kind: "text", ...page, truncated };
      }
      if (truncated) {
        throw new PermanentError(`the document has more than ${bytes.byteLength} bytes`, {
          code: "document_too_large",
        });
      }
      return { kind, ...(await extractor.extract({ kind, bytes }, options)) };
    },
  };
}
