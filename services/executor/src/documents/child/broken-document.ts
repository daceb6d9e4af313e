import { PermanentError } from "@planwright/shared/errors";

/** An unreadable document. */
export function brokenDocument(why: string, cause?: unknown): PermanentError {
  return new PermanentError(`the document cannot be read: ${why}`, { code: "document_broken", cause });
}

/** A document that exceeds a limit. */
export function hugeDocument(what: string): PermanentError {
  return new PermanentError(`the document is too large: ${what}`, { code: "document_too_large" });
}
