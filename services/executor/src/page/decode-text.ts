/** Bytes to text, as a browser would read them. */

const META_BYTES = 1_024;
const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes by the byte order mark, else by the content type's charset, else by what the page says of
 * itself, else as UTF-8, or as Windows-1252 when it is not that.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label =
    markOf(bytes) ??
    charsetOf(contentType) ??
    (contentType.includes("html") ? metaCharset(bytes) : undefined);
  const decoder = label === undefined ? undefined : decoderOf(label);
  if (decoder !== undefined) return decoder.decode(bytes);
  try {
    // As a stream: the limit may have cut the last character in two.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The text that a file without a content type holds, or `undefined` when it is no text. */
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
  // A page whose own markup could be read as single bytes cannot be in UTF-16.
  return label?.toLowerCase().startsWith("utf-16") === true ? "utf-8" : label;
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // Servers invent labels; the bytes themselves say more.
    return undefined;
  }
}
