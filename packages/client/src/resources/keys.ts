/** The tenant's API keys, for its admins. */
import type { CreatedKey, CreateKeyBody, KeyList } from "@planwright/api";
import { isProblem } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";

export type KeysApi = {
  /** The managed keys, and those from the gateway's settings. */
  list(options?: RequestOptions): Promise<KeyList>;
  /** Creates a key. Only this response shows it. */
  create(key: CreateKeyBody, options?: RequestOptions): Promise<CreatedKey>;
  revoke(id: string, options?: RequestOptions): Promise<void>;
};

export function keysOf(transport: Transport): KeysApi {
  return {
    list: (options) => transport.json("listKeys", options),
    create: (body, options) => transport.json("createKey", { ...options, body }),
    revoke: async (id, options) => {
      try {
        await transport.text("revokeKey", { ...options, params: { id } });
      } catch (error) {
        // An earlier attempt revoked it; its response was lost.
        if (!isProblem(error, "key_not_found") || error.attempts === 1) throw error;
      }
    },
  };
}
