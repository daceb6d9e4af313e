import { z } from "zod";
import { type SearchProvider, WebResult } from "./search-provider.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";

/** Of every provider: longer queries are refused by some. */
const QUERY_CHARS_MAX = 400;
/** What is found changes slowly. */
const REUSABLE_MS = 300_000;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 20;

/** Searches the public web, by the provider that the configuration chooses. */
export function webSearch({ provider }: { readonly provider: SearchProvider }): Tool {
  return defineTool({
    name: "web.search",
    description:
      "Search the public web. Read the pages that it finds with http.fetch. " +
      "Output: {results: [{title, url, snippet, published}], provider}, best first, empty if nothing matches.",
    input: z.strictObject({
      query: z.string().trim().min(1).max(QUERY_CHARS_MAX).describe("Search terms."),
      limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("Max results."),
    }),
    output: z.object({ results: z.array(WebResult), provider: z.string() }),
    // The words go to a provider that the operator has chosen, not to a host that the plan names.
    risk: "low",
    effect: "read",
    reusableMs: REUSABLE_MS,
    timeoutMs: 60_000,
    run: async ({ query, limit }, { signal }) => ({
      results: [...(await provider.search(query, { limit, signal }))],
      provider: provider.name,
    }),
  });
}
