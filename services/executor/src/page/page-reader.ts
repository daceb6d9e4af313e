/** Converts a fetched page into text that a model can read. */
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { type IsolationOptions, startIsolatedChild } from "../child-pool/isolated-child.ts";
import { decodeText, decodeUnlabelled } from "./decode-text.ts";

const DEADLINE_MS = 15_000;
const MEMORY_MB = 512;

export const Page = z.object({ title: z.string().nullable(), text: z.string() });
export type Page = z.infer<typeof Page>;

export const PageRequest = z.object({ html: z.string(), url: z.string() });
export type PageRequest = z.infer<typeof PageRequest>;

export type PageReader = Disposable & {
  /**
   * @throws {PermanentError} `unsupported_content_type` for content that is not text, `deadline_exceeded` or `out_of_memory` for
   * a page designed to be expensive.
   */
  read(
    fetched: { readonly url: string; readonly contentType: string; readonly bytes: Uint8Array },
    options: { readonly signal: AbortSignal },
  ): Promise<Page>;
};

/** Parses untrusted HTML in a child process, so that a malicious page cannot block this one. */
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
