import { type ModelLog, serveModel } from "./protocol/index.ts";
import { NOTICE } from "./rules/notice.ts";
import { respond } from "./rules/respond.ts";

export const OFFLINE_MODEL = "planwright-offline";

export type OfflineModel = AsyncDisposable & {
  /** Ends in `/v1`: the base URL for an OpenAI client. */
  readonly url: string;
};

/**
 * Starts the demo model, which is used without a key: an OpenAI-compatible server whose replies come from
 * rules. It answers any request for any model name and identifies itself as `planwright-offline` in its replies.
 *
 * @param options - `port` is 0 (any free one) and `host` 127.0.0.1 when absent.
 * @throws {Error} When the port is in use (the system's `EADDRINUSE`).
 */
export async function startOfflineModel(
  options: { readonly port?: number; readonly host?: string; readonly log?: ModelLog } = {},
): Promise<OfflineModel> {
  return serveModel({
    ...options,
    respond,
    model: { id: OFFLINE_MODEL, description: NOTICE },
    // Its journal is never read, and prompts can contain much data.
    journalEntriesMax: 1,
  });
}
