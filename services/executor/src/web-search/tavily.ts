/** Tavily's search: https://docs.tavily.com/documentation/api-reference/endpoint/search */
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { createAskProvider, type KeyedSettings } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";
import { toResults } from "./to-results.ts";

const URL_DEFAULT = "https://api.tavily.com/search";

const Reply = z.object({ results: z.array(z.unknown()) });
const Refused = z.object({ detail: z.union([z.string(), z.object({ error: z.string() })]) });

export function tavily({ key, url = URL_DEFAULT, ...settings }: KeyedSettings): SearchProvider {
  const ask = createAskProvider({
    ...settings,
    name: "tavily",
    secrets: [key],
    refusals: { detail: detailOf, unauthorized: "see TAVILY_API_KEY" },
  });
  return {
    name: "tavily",
    async search(query, { limit, signal }) {
      const body = JSON.stringify({ query, max_results: limit, search_depth: "basic" });
      const headers = { authorization: `Bearer ${key}` };
      const parsed = Reply.safeParse(await ask({ url: new URL(url), headers, body }, signal));
      if (!parsed.success) {
        throw new PermanentError("tavily: wanted results, got other JSON", { code: "bad_response" });
      }
      return toResults(parsed.data.results, {
        fields: { snippet: "content", published: ["published_date"] },
        limit,
      });
    },
  };
}

function detailOf(body: unknown): string | undefined {
  const detail = Refused.safeParse(body).data?.detail;
  return typeof detail === "object" ? detail.error : detail;
}
