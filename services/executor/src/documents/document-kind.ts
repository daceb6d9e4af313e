/** Detects the kind of a file by its bytes, where its content type leaves that open. */

/** PDF readers accept a header this late, so some PDFs have one. */
const PDF_HEAD_BYTES = 1_024;
const ZIP_MARK = "PK\u0003\u0004";
const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const OPEN_TYPES: ReadonlySet<string> = new Set([
  "",
  "application/octet-stream",
  "application/pdf",
  "application/x-pdf",
  "application/zip",
  WORD_TYPE,
]);

/** @param contentType - As sent; a text type is believed. */
export function documentKindOf(bytes: Uint8Array, contentType: string): "pdf" | "docx" | undefined {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!OPEN_TYPES.has(type)) return undefined;
  const head = Buffer.from(bytes.subarray(0, PDF_HEAD_BYTES)).toString("latin1");
  if (head.startsWith(ZIP_MARK)) return "docx";
  return head.includes("%PDF-") ? "pdf" : undefined;
}

/** Whether a content type means a whole document, of which a part cannot be read. */
export function isDocumentType(contentType: string): boolean {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === WORD_TYPE || type === "application/pdf" || type === "application/x-pdf";
}
