/** The Brave Search API: https://api-dashboard.search.brave.com/api-reference/web/search/get */
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { createAskProvider, type KeyedSettings } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";
import { toResults } from "./to-results.ts";

const URL_DEFAULT = "https://api.search.brave.com/res/v1/web/search";
/** Maximum words of a query; Brave refuses more. */
const WORDS_MAX = 50;

const Reply = z.object({
  type: z.literal("search"),
  /** Absent when there are no results. */
  web: z.object({ results: z.array(z.unknown()).default([]) }).optional(),
});
const Refused = z.object({
  error: z.object({ code: z.string().default(""), detail: z.string().default("") }),
});

export function brave({ key, url: base = URL_DEFAULT, ...settings }: KeyedSettings): SearchProvider {
  const ask = createAskProvider({
    ...settings,
    name: "brave",
    secrets: [key],
    refusals: {
      detail: (body) => errorOf(body)?.detail,
      kind: ({ body }) => {
        const code = errorOf(body)?.code ?? "";
        if (code.startsWith("SUBSCRIPTION_TOKEN")) return "unauthorized";
        return code === "QUOTA_LIMITED" ? "quota" : undefined;
      },
      unauthorized: "see BRAVE_API_KEY",
      waitMs: resetMs,
    },
  });
  return {
    name: "brave",
    async search(query, { limit, signal }) {
      const url = new URL(base);
      const q = query.split(/\s+/).slice(0, WORDS_MAX).join(" ");
      url.search = String(
        new URLSearchParams({ q, count: String(limit), result_filter: "web", text_decorations: "false" }),
      );
      const parsed = Reply.safeParse(await ask({ url, headers: { "x-subscription-token": key } }, signal));
      if (!parsed.success) {
        throw new PermanentError("brave: wanted search results, got other JSON", { code: "bad_response" });
      }
      const fields = { snippet: "description", published: ["page_age"] };
      return toResults(parsed.data.web?.results, { fields, limit });
    },
  };
}

function errorOf(body: unknown): z.output<typeof Refused>["error"] | undefined {
  return Refused.safeParse(body).data?.error;
}

/** Waits for the window that is used up: `X-RateLimit-Remaining: 0, 900`, `X-RateLimit-Reset: 1, 86400`. */
function resetMs(header: (name: string) => string): number | undefined {
  const numbers = (name: string) => header(name).split(",").map(Number);
  const remaining = numbers("x-ratelimit-remaining");
  const waits = numbers("x-ratelimit-reset").filter(
    (seconds, index) => seconds > 0 && remaining[index] === 0,
  );
  return waits.length === 0 ? undefined : Math.min(Math.max(...waits), 86_400) * 1_000;
}
