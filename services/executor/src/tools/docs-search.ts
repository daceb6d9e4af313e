import { z } from "zod";
import { DocHit, type DocsIndex } from "../docs/create-docs-index.ts";
import { defineTool, type Tool } from "./define-tool.ts";

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
      "Search the installation's own documents (Markdown and text) for the passages that match some words. " +
      "Use it for facts, prices, policies and descriptions; one step per subject, so that searches run side by side. It does not search the internet. " +
      'Output: {"hits": [{"path": "pricing.md", "title": "Pricing › Plan A", "snippet": "...", "score": 3.2}]}, best first, empty when nothing matches. ' +
      'Refer to it as {"$ref": "s1.output.hits"} or {"$ref": "s1.output.hits[0].snippet"}.',
    input: z.strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(QUERY_CHARS_MAX)
        .describe("The words to look for, such as: price of plan A."),
      limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).describe("How many passages at most."),
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
