import { readConfig } from "@planwright/shared/service";
import { expect, it } from "vitest";
import { z } from "zod";
import { searchProviderOf, webSearchConfig } from "./web-search-config.ts";

const provider = (env: Readonly<Record<string, string>>) =>
  searchProviderOf(readConfig(z.object(webSearchConfig), env))?.name;

it("has no provider without settings, otherwise the named one or the first one that is configured", () => {
  const keys = { BRAVE_API_KEY: "b", TAVILY_API_KEY: "t" };
  expect(provider({})).toBeUndefined();
  expect(provider({ SEARXNG_URL: "http://127.0.0.1:8888/" })).toBe("searxng");
  expect(provider(keys)).toBe("brave");
  expect(provider({ ...keys, WEB_SEARCH: "tavily" })).toBe("tavily");
});

it("refuses an unknown provider, or one without its key", () => {
  expect(() => provider({ WEB_SEARCH: "tavily", BRAVE_API_KEY: "b" })).toThrow(
    /^TAVILY_API_KEY: wanted a value/,
  );
  expect(() => provider({ WEB_SEARCH: "searxng" })).toThrow(/^SEARXNG_URL: /);
  expect(() => provider({ WEB_SEARCH: "google" })).toThrow(
    /WEB_SEARCH: wanted one of searxng, brave, tavily/,
  );
});
