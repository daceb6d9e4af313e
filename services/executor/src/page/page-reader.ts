/** Turns a fetched page into text that a model can read. */
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { type IsolationOptions, startIsolatedChild } from "../child-pool/isolated-child.ts";

const DEADLINE_MS = 15_000;
const MEMORY_MB = 512;

export const Page = z.object({ title: z.string().nullable(), text: z.string() });
export type Page = z.infer<typeof Page>;

export const PageRequest = z.object({ html: z.string(), url: z.string() });
export type PageRequest = z.infer<typeof PageRequest>;

export type PageReader = Disposable & {
  /**
   * @throws {PermanentError} `unsupported_content_type` for what is not text, `deadline_exceeded` or
   *   `out_of_memory` for a page made to be expensive.
   */
  read(
    fetched: { readonly url: string; readonly contentType: string; readonly bytes: Uint8Array },
    options: { readonly signal: AbortSignal },
  ): Promise<Page>;
};

/** Untrusted HTML is parsed in a child process, which a page made to be expensive cannot block. */
export function createPageReader(options: IsolationOptions = {}): PageReader {
  const entry = new URL("./child/page-child.ts", import.meta.url);
  const settings = { entry, reply: Page, memoryMb: MEMORY_MB, deadlineMs: DEADLINE_MS, ...options };
  const child = startIsolatedChild(settings);
  return {
    async read({ url, contentType, bytes }, { signal }) {
      const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
      if (bytes.byteLength === 0) return { title: null, text: "" };
      if (type === "text/html" || type === "application/xhtml+xml") {
        const request: PageRequest = { url, html: decodeText(bytes, contentType) };
        return child.call(request, { signal });
      }
      const text = isText(type)
        ? decodeText(bytes, contentType)
        : type === ""
          ? decodeUnlabelled(bytes)
          : undefined;
      if (text !== undefined) return { title: null, text };
      throw new PermanentError(
        `the page is ${type === "" ? "of no known type" : type.slice(0, 100)}: only HTML, text, JSON and XML can be read`,
        { code: "unsupported_content_type" },
      );
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  };
}

function isText(type: string): boolean {
  return /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-ndjson|ndjson|jsonl|toml|csv|sql)$/.test(
    type,
  );
}

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
function decodeText(bytes: Uint8Array, contentType: string): string {
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
function decodeUnlabelled(bytes: Uint8Array): string | undefined {
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
