import { z } from "zod";
import { type SearchProvider, WebResult } from "./search-provider.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";

/** For every provider: some refuse longer queries. */
const QUERY_CHARS_MAX = 400;
/** Search results change slowly. */
const REUSABLE_MS = 300_000;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 20;

/** Searches the public web with the configured provider. */
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
    // The query goes to a provider that the operator has chosen, not to a host that the plan names.
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
