/** Extracts the text of PDF and Word documents in a child process, so that a malicious document cannot block this one. */
import { z } from "zod";
import { type IsolationOptions, startIsolatedChild } from "../child-pool/isolated-child.ts";

const DEADLINE_MS = 30_000;
const MEMORY_MB = 512;

export const DocumentRequest = z.object({
  kind: z.enum(["pdf", "docx"]),
  bytes: z.instanceof(Uint8Array),
});
export type DocumentRequest = { readonly kind: "pdf" | "docx"; readonly bytes: Uint8Array };

export const DocumentText = z.object({
  title: z.string().nullable(),
  text: z.string(),
  /** Only for a PDF. */
  pages: z.int().nonnegative().optional(),
  /** Whether the document continues beyond the text. */
  truncated: z.boolean(),
});
export type DocumentText = z.infer<typeof DocumentText>;

export type TextExtractor = Disposable & {
  /**
   * @throws {PermanentError} `document_broken`, `document_encrypted`, `document_too_large`, `no_text`,
   *   `deadline_exceeded`, `out_of_memory`.
   */
  extract(document: DocumentRequest, options: { readonly signal: AbortSignal }): Promise<DocumentText>;
};

/** @param options.deadlineMs - Time limit for one document; 30 seconds by default. */
export function createTextExtractor(options: IsolationOptions = {}): TextExtractor {
  const entry = new URL("./child/document-child.ts", import.meta.url);
  const settings = {
    entry,
    reply: DocumentText,
    memoryMb: MEMORY_MB,
    deadlineMs: DEADLINE_MS,
    flags: ["--disallow-code-generation-from-strings"],
    ...options,
  };
  const child = startIsolatedChild(settings);
  return { extract: child.call, [Symbol.dispose]: () => child[Symbol.dispose]() };
}
