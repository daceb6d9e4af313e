/** What the gateway's WebSocket says, read from text; anything else is ignored. */
import type { JsonChange } from "@planwright/plan/json-changes";
import type { ServerMessage } from "@planwright/api";

/** This page submits over HTTP, so that it is never told `accepted`. */
export type LiveMessage = Exclude<ServerMessage, { readonly type: "accepted" }>;

/** What makes a plan's view after one fact its view after a later one. */
export type ViewChanges = {
  readonly after: number;
  readonly seq: number;
  readonly changes: readonly JsonChange[];
};

const TYPES: ReadonlySet<unknown> = new Set(["event", "changes", "resync", "ok", "error"]);

/** Undefined for what is no message of ours: a newer gateway may say more than this page knows. */
export function parseLiveMessage(text: unknown): LiveMessage | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
    // The gateway that serves this page speaks by these types; the tag has been checked.
    return TYPES.has(message.type) ? (message as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
}
