import { z } from "zod";
import { findFile } from "../files/files-read.ts";
import { WorkspacePath } from "../files/workspace-path.ts";
import type { Fetcher } from "../net/create-fetcher.ts";
import { defineTool, type Tool, type ToolContext } from "../tools/define-tool.ts";
import { PermanentError } from "@planwright/shared/errors";
import type { PageReader } from "../page/page-reader.ts";
import { documentKindOf } from "./document-kind.ts";
import type { DocumentText, TextExtractor } from "./text-extractor.ts";

const URL_CHARS_MAX = 4_000;
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const CHARS_DEFAULT = 100_000;
const CHARS_MAX = 1_000_000;
const TEXT_NAME = /\.(?:csv|json|log|md|tsv|txt|xml|ya?ml)$/i;

const Input = z
  .strictObject({
    path: WorkspacePath.optional().describe("A file of this plan, such as report.pdf."),
    url: z.string().trim().min(1).max(URL_CHARS_MAX).optional().describe("A full URL, instead of path."),
    maxChars: z.int().min(1).max(CHARS_MAX).default(CHARS_DEFAULT).describe("Longer text is cut."),
  })
  .refine(({ path, url }) => (path === undefined) !== (url === undefined), "wanted either path or url");

/** Extracts the text of a document: a file of the plan, or one on the internet. */
export function textExtract({
  fetcher,
  documents,
}: {
  readonly fetcher: Fetcher;
  readonly documents: DocumentReader;
}): Tool {
  return defineTool({
    name: "text.extract",
    description:
      "Extract the text of a PDF, Word, HTML or text document: a file of this plan, or a URL. " +
      "Output: {source, kind, title, text, pages, truncated}.",
    input: Input,
    output: z.object({
      source: z.string(),
      kind: z.enum(["pdf", "docx", "text"]),
      title: z.string().nullable(),
      text: z.string(),
      pages: z.int().nonnegative().optional(),
      truncated: z.boolean(),
    }),
    // As for http.fetch: a URL built from the plan's data sends that data to an outside host.
    risk: "medium",
    effect: "read",
    reusableMs: 0,
    timeoutMs: 90_000,
    run: async ({ path, url, maxChars }, context) => {
      const readable =
        url === undefined ? await ofFile(path ?? "", context) : await fetcher.fetch(url, context);
      const { text, truncated, ...about } = await documents.read(readable, context);
      return {
        source: path ?? readable.url,
        ...about,
        text: text.slice(0, maxChars),
        truncated: truncated || text.length > maxChars,
      };
    },
  });
}

async function ofFile(path: string, { workspace }: ToolContext): Promise<Readable> {
  const bytes = await findFile(workspace, { path, bytesMax: FILE_BYTES_MAX });
  // Needed besides the bytes: a web page looks like any text, and a text can use a character set older than Unicode.
  const contentType = /\.x?html?$/i.test(path) ? "text/html" : TEXT_NAME.test(path) ? "text/plain" : "";
  return { url: `file:///${encodeURI(path)}`, contentType, bytes, truncated: false };
}

/** Converts the bytes of a page, a text or a document into text that a model can read. */
export type Readable = {
  /** Source URL: for links and errors. */
  readonly url: string;
  /** Empty when unknown. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Whether the content continues beyond these bytes. */
  readonly truncated: boolean;
};

export type ReadDocument = DocumentText & { readonly kind: "pdf" | "docx" | "text" };

export type DocumentReader = {
  /**
   * @throws {PermanentError} As `PageReader` and `TextExtractor` do; `document_too_large` for a truncated document that cannot be
   * read in part.
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
