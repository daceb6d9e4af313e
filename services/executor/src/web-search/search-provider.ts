/** The interface of search providers for `web.search`. */
import { z } from "zod";

export const WebResult = z.object({
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  published: z.iso.date().optional(),
});
export type WebResult = z.infer<typeof WebResult>;

export type SearchProvider = {
  readonly name: string;
  /**
   * The best results first; empty when nothing was found.
   *
   * @throws {PermanentError} `search_unauthorized`, `search_quota_exceeded`, `search_refused`, `search_moved`, `bad_response`,
   * `response_too_large`, `host_not_found`, `certificate_refused`.
   * @throws {TransientError} On 429 and 5xx (with the delay that the provider requests), lost connections and timeouts.
   */
  search(
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly WebResult[]>;
};
