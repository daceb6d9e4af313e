import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import type { DocumentReader } from "../documents/text-extract.ts";
import type { Fetcher } from "../net/create-fetcher.ts";
import { RequestHeaders, withoutHeadersInSpec } from "../net/request-headers.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";

const URL_CHARS_MAX = 4_000;
const TEXT_CHARS_MAX = 100_000;
const PLAIN_CHARS_MAX = 200;
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  "*/*",
  "application/json",
  "application/pdf",
  "application/xml",
  "text/csv",
  "text/html",
  "text/markdown",
  "text/plain",
]);
/** Headers that can go to any host, with the values that reveal only which of a few was chosen. */
const PLAIN_HEADERS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["accept", (value) => MEDIA_TYPES.has(value)],
  ["accept-language", (value) => /^[a-z]{2}$/.test(value)],
]);

/** Reads one page of the public internet as text. */
export function httpFetch({
  fetcher,
  documents,
}: {
  readonly fetcher: Fetcher;
  readonly documents: DocumentReader;
}): Tool {
  const tool = defineTool({
    name: "http.fetch",
    description:
      "Fetch one web page, JSON, text, PDF or Word file by its exact URL (GET). It cannot search. " +
      "Output: {url, status, contentType, title, text, truncated}; text is Markdown if the page is HTML.",
    input: z.strictObject({
      url: z.string().trim().min(1).max(URL_CHARS_MAX).describe("The full URL."),
      headers: RequestHeaders.optional(),
    }),
    output: z.object({
      url: z.string().describe("After redirects."),
      status: z.int(),
      contentType: z.string(),
      title: z.string().nullable(),
      text: z.string(),
      truncated: z.boolean(),
    }),
    // Reading changes nothing, but a URL built from the plan's data sends that data to an outside host.
    risk: "medium",
    effect: "read",
    reusableMs: 0,
    timeoutMs: 60_000,
    run: async ({ url, headers }, { signal, secretPlaces = [] }) => {
      refuseOthers(headers, secretPlaces);
      const fetched = await fetcher.fetch(url, { headers, signal });
      const { title, text, truncated } = await documents.read(fetched, { signal });
      return {
        url: fetched.url,
        status: fetched.status,
        contentType: fetched.contentType,
        title,
        text: text.slice(0, TEXT_CHARS_MAX),
        truncated: truncated || text.length > TEXT_CHARS_MAX,
      };
    },
  });
  return withoutHeadersInSpec(tool);
}

/**
 * A header could reveal as much to an outside host as a URL, and needs no approval. Headers with a secret are sent, but only to
 * the secret's hosts, together with any media type or language; other hosts only get media types and languages from a short list.
 */
function refuseOthers(headers: RequestHeaders = {}, secretPlaces: readonly string[]): void {
  const goesToSecretHost = Object.keys(headers).some((name) => secretPlaces.includes(`headers.${name}`));
  for (const [name, value] of Object.entries(headers)) {
    if (secretPlaces.includes(`headers.${name}`)) continue;
    const isPlain = PLAIN_HEADERS.get(name);
    if (goesToSecretHost && isPlain !== undefined && value.length <= PLAIN_CHARS_MAX) continue;
    if (isPlain?.(value) === true) continue;
    throw new PermanentError(
      `http.fetch does not send this header ${name}: it sends headers that contain a secret, accept with one of ${[...MEDIA_TYPES].join(", ")}, and accept-language with two letters`,
      { code: "header_refused" },
    );
  }
}
