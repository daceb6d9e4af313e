import OpenAI from "openai";
import type { ModelContext } from "./model-context.ts";

/** The SDK's client for one exchange. Everything that it would otherwise take from the environment is given, or switched off. */
export function openAi(context: ModelContext, watchedFetch: typeof fetch): OpenAI {
  const { baseUrl, apiKey, keyHeader, headers, limits } = context;
  const { url, query } = splitQuery(baseUrl);
  const asBearer = apiKey !== undefined && keyHeader === undefined;
  return new OpenAI({
    baseURL: url,
    apiKey: apiKey ?? "none",
    defaultHeaders: {
      ...(asBearer ? {} : { authorization: null }),
      ...(apiKey !== undefined && keyHeader !== undefined ? { [keyHeader]: apiKey } : {}),
      ...headers,
    },
    defaultQuery: query,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: limits.totalMs,
    fetch: watchedFetch,
    logLevel: "off",
  });
}

function splitQuery(baseUrl: string): { url: string; query: Record<string, string> } {
  const [url = "", search = ""] = baseUrl.split("?", 2);
  return { url: url.replace(/\/+$/, ""), query: Object.fromEntries(new URLSearchParams(search)) };
}
