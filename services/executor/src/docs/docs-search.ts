import { z } from "zod";
import { DocHit, type DocsIndex } from "./create-docs-index.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";

const QUERY_CHARS_MAX = 2_000;
/** What is found changes slowly. */
const REUSABLE_MS = 60_000;
const LIMIT_DEFAULT = 5;
const LIMIT_MAX = 50;

/** Searches the documents that this installation was given. */
export function docsSearch({ docs }: { readonly docs: DocsIndex }): Tool {
  return defineTool({
    name: "docs.search",
    description:
      "Search this installation's own documents, not the internet, for passages about facts, prices, policies or descriptions. " +
      "Output: {hits: [{path, title, snippet, score}]}, best first, empty if nothing matches.",
    input: z.strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(QUERY_CHARS_MAX)
        .describe("Search terms, such as: price of plan A."),
      limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("Max passages."),
    }),
    output: z.object({ hits: z.array(DocHit) }),
    risk: "low",
    effect: "read",
    reusableMs: REUSABLE_MS,
    timeoutMs: 60_000,
    run: async ({ query, limit }, { signal, log }) => ({
      hits: [...(await docs.search(query, { limit, signal, log }))],
    }),
  });
}
