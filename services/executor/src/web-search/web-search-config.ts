/** The settings of `web.search`, and the provider that they choose. */
import { ConfigError, oneOf, secret, url } from "@planwright/shared/service";
import { z } from "zod";
import { brave } from "./brave.ts";
import type { SearchProvider } from "./search-provider.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

const PROVIDERS = ["searxng", "brave", "tavily"] as const;

export const webSearchConfig = {
  WEB_SEARCH: oneOf(PROVIDERS).optional().meta({
    description:
      "Who searches for web.search (docs/web-search.md). Without it: the first of them whose setting is there; with none there is no such tool.",
  }),
  SEARXNG_URL: url({ schemes: ["http", "https"] })
    .optional()
    .meta({ description: "A SearXNG instance for web.search; it must offer the format json." }),
  BRAVE_API_KEY: secret({ wanted: "a key of the Brave Search API" })
    .optional()
    .meta({ description: "Key of the Brave Search API, for web.search." }),
  TAVILY_API_KEY: secret({ wanted: "a key of Tavily" })
    .optional()
    .meta({ description: "Key of Tavily, for web.search." }),
};

const Settings = z.object(webSearchConfig);

/** @throws {ConfigError} When WEB_SEARCH names a provider whose own setting is missing. */
export function searchProviderOf(config: z.output<typeof Settings>): SearchProvider | undefined {
  const { WEB_SEARCH, SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY } = config;
  const configured = {
    searxng: SEARXNG_URL === undefined ? undefined : searxng({ url: SEARXNG_URL }),
    brave: BRAVE_API_KEY === undefined ? undefined : brave({ key: BRAVE_API_KEY }),
    tavily: TAVILY_API_KEY === undefined ? undefined : tavily({ key: TAVILY_API_KEY }),
  };
  if (WEB_SEARCH === undefined) {
    return PROVIDERS.map((name) => configured[name]).find((provider) => provider !== undefined);
  }
  const chosen = configured[WEB_SEARCH];
  if (chosen !== undefined) return chosen;
  const name = WEB_SEARCH === "searxng" ? "SEARXNG_URL" : `${WEB_SEARCH.toUpperCase()}_API_KEY`;
  throw new ConfigError([
    { name, wanted: `a value, because WEB_SEARCH is ${WEB_SEARCH}`, came: "nothing (it is not set)" },
  ]);
}
