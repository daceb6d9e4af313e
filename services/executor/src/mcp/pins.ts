/**
 * Remembers how each tool described itself when it was first seen. If the description changes, the tool is not offered until an
 * operator has accepted it.
 */
import { createHash } from "node:crypto";
import { canonicalJson, JsonValue } from "@planwright/plan";
import { BUCKETS, type Bus, openBucket } from "@planwright/shared/bus";
import type { ListedTool } from "./listed-tool.ts";

const DIGEST_CHARS = 32;

export type Pins = {
  /** Each tool of the server that was ever seen, with its digest. */
  ofServer(server: string): Promise<ReadonlyMap<string, string>>;
  /** Stores a tool's digest. The first one is kept, unless `replace` is set. */
  note(
    server: string,
    tool: string,
    pin: { readonly digest: string; readonly replace?: boolean },
  ): Promise<void>;
};

/** Pins are kept in a bucket shared by all executors. */
export async function openPins(bus: Bus): Promise<Pins> {
  const bucket = await openBucket(bus, BUCKETS.mcpPins);
  return {
    async ofServer(server) {
      const entries = await bucket.latest([`${token(server)}.>`]);
      return new Map(
        entries.flatMap(({ key, value }) => (value === undefined ? [] : [[nameIn(key), value]])),
      );
    },
    async note(server, tool, { digest, replace = false }) {
      await bucket.write(`${token(server)}.${token(tool)}`, digest, replace ? {} : { expect: 0 });
    },
  };
}

/** Digest of everything that planners and users see of the tool, and of the hints that its risk is derived from. */
export function digestOf({ name, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const said = { name, description, inputSchema, outputSchema, annotations };
  return createHash("sha256")
    .update(canonicalJson(JsonValue.parse(JSON.parse(JSON.stringify(said)))))
    .digest("hex")
    .slice(0, DIGEST_CHARS);
}

/** The server chooses its tool names, but keys must be subject tokens. */
function token(name: string): string {
  return Buffer.from(name).toString("base64url");
}

function nameIn(key: string): string {
  return Buffer.from(key.split(".").at(-1) ?? "", "base64url").toString();
}
