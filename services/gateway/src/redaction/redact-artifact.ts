/** Files of plans as a role may see them. */
import { type Redactor, TEXT_CHARS_MAX } from "@planwright/shared/redaction";
import { Problem } from "../http/problem.ts";

/** Whose content is text that can be read as such. */
const TEXT =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|ndjson|yaml|x-yaml|csv)|image\/svg\+xml)/;

/**
 * The content of a file without the values that the rules hide.
 *
 * @throws {Problem} `redacted_for_role` for a file in which nothing can be found: of another kind than text, or too long.
 */
export function redactArtifact(
  redactor: Redactor,
  {
    content,
    contentType,
    name,
  }: { readonly content: Uint8Array; readonly contentType: string; readonly name: string },
): Uint8Array {
  if (!redactor.isActive) return content;
  const text = TEXT.test(contentType) ? decoded(content) : undefined;
  if (text === undefined || text.length > TEXT_CHARS_MAX) {
    throw new Problem(
      "redacted_for_role",
      `${JSON.stringify(name.slice(0, 256))} cannot be shown to this role: redaction rules apply to it, and they can be applied to ` +
        `files of text of at most ${TEXT_CHARS_MAX} characters only`,
    );
  }
  const shown = redactor.text(text);
  return shown === text ? content : Buffer.from(shown);
}

/** Undefined for content that is not UTF-8; a zero byte is a sign of another encoding. */
function decoded(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
