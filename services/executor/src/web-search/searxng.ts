/** SearXNG, a self-hosted metasearch engine: https://docs.searxng.org/dev/search_api.html */
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { z } from "zod";
import { createAskProvider, type ProviderSettings } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";
import { toResults } from "./to-results.ts";

const Reply = z.object({
  results: z.array(z.unknown()),
  /** Engines that returned nothing, each with its reason. */
  unresponsive_engines: z.array(z.unknown()).default([]),
});

/** @param url - The instance's address; a user name and password in it are sent as basic authentication. */
export function searxng({
  url: text,
  ...settings
}: { readonly url: string } & Pick<ProviderSettings, "limits" | "now">): SearchProvider {
  const base = new URL(`${text.replace(/\/+$/, "")}/`);
  const { username, password } = base;
  base.username = base.password = "";
  const headers: Record<string, string> = {};
  if (username !== "") {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  const ask = createAskProvider({
    ...settings,
    name: "searxng",
    secrets: password === "" ? [] : [password, decodeURIComponent(password)],
    refusals: {
      detail: () => undefined,
      unauthorized: "its settings must list json under search.formats and admit this machine",
    },
  });
  return {
    name: "searxng",
    async search(query, { limit, signal }) {
      const url = new URL("search", base);
      url.search = String(new URLSearchParams({ q: query, format: "json" }));
      const parsed = Reply.safeParse(await ask({ url, headers }, signal));
      if (!parsed.success) {
        throw new PermanentError("searxng: wanted results, got other JSON", { code: "bad_response" });
      }
      const { results, unresponsive_engines: silent } = parsed.data;
      if (results.length === 0 && silent.length > 0) {
        throw new TransientError(`searxng: none of its ${silent.length} engines answered`);
      }
      return toResults(results, { fields: { snippet: "content", published: ["publishedDate"] }, limit });
    },
  };
}
