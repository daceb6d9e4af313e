/**
 * What each tool said of itself when it was first seen, so that one which says something else later is not offered
 * before an operator has looked.
 */
import { createHash } from "node:crypto";
import { canonicalJson, JsonValue } from "@planwright/plan";
import { BUCKETS, type Bus, openBucket } from "@planwright/shared/bus";
import type { ListedTool } from "./listed-tool.ts";

const DIGEST_CHARS = 32;

export type Pins = {
  /** Each tool of the server that was ever seen, with its digest. */
  ofServer(server: string): Promise<ReadonlyMap<string, string>>;
  /** Notes a tool's digest. The first one stands, unless `replace`. */
  note(
    server: string,
    tool: string,
    pin: { readonly digest: string; readonly replace?: boolean },
  ): Promise<void>;
};

/** Pins are kept in a bucket that all executors share. */
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

/** Of everything that a planner or a person is told about the tool, and of what its risk was read from. */
export function digestOf({ name, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const said = { name, description, inputSchema, outputSchema, annotations };
  return createHash("sha256")
    .update(canonicalJson(JsonValue.parse(JSON.parse(JSON.stringify(said)))))
    .digest("hex")
    .slice(0, DIGEST_CHARS);
}

/** Names are a server's own words; keys are subject tokens. */
function token(name: string): string {
  return Buffer.from(name).toString("base64url");
}

function nameIn(key: string): string {
  return Buffer.from(key.split(".").at(-1) ?? "", "base64url").toString();
}
