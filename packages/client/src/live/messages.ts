/** The WebSocket's messages (text) and subprotocols. */
import type { ServerMessage } from "@planwright/api";

/** The subprotocol of the contract, and the prefix of the one that carries a key. */
const SOCKET_PROTOCOL = "planwright.v1";
const SOCKET_KEY_PREFIX = "bearer.";

const TYPES: ReadonlySet<unknown> = new Set([
  "accepted",
  "event",
  "changes",
  "plans",
  "resync",
  "ok",
  "error",
]);

/** Returns undefined for any other message: a newer gateway may send more than this client knows. */
export function parseMessage(text: unknown): ServerMessage | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
    // The contract's types describe every message with one of its tags.
    return TYPES.has(message.type) ? (message as ServerMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** A browser's WebSocket cannot set headers: the key travels as a subprotocol. */
export function protocolsFor(key: string | undefined): string[] {
  return key === undefined ? [SOCKET_PROTOCOL] : [SOCKET_PROTOCOL, SOCKET_KEY_PREFIX + base64Url(key)];
}

function base64Url(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
