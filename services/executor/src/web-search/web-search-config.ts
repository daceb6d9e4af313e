/** The settings of `web.search`, and the provider that they select. */
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
      "Search engine for web.search (docs/web-search.md). Default: the first one whose setting below is present. If none is present, web.search is not available.",
  }),
  SEARXNG_URL: url({ schemes: ["http", "https"] })
    .optional()
    .meta({ description: "URL of a SearXNG instance for web.search. It must support the json format." }),
  BRAVE_API_KEY: secret({ wanted: "a key of the Brave Search API" })
    .optional()
    .meta({ description: "Key for the Brave Search API, for web.search." }),
  TAVILY_API_KEY: secret({ wanted: "a key of Tavily" })
    .optional()
    .meta({ description: "Key for Tavily, for web.search." }),
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
