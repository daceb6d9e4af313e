/** Decodes bytes to text, as a browser would. */

const META_BYTES = 1_024;
const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes by the byte order mark, else the content type's charset, else the page's own declaration, else as UTF-8, or as
 * Windows-1252 when it is not valid UTF-8.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label =
    markOf(bytes) ??
    charsetOf(contentType) ??
    (contentType.includes("html") ? metaCharset(bytes) : undefined);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    // In streaming mode, because the limit may have cut the last character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The text of a file without a content type, or `undefined` when it is not text. */
export function decodeUnlabelled(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, META_BYTES));
  const label = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  // A page whose markup is readable as single bytes cannot be UTF-16.
  return label?.toLowerCase().startsWith("utf-16") === true ? "utf-8" : label;
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // Servers send invalid labels; the bytes are more reliable.
    return undefined;
  }
}
