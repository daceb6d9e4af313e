/** Server-sent events: a plan's events, each with its number as the ID. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { CheckSent } from "./check-response.ts";
import type { ShownEvent } from "../redaction/redact-events.ts";

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1_000;
const PIECE_CHARS = 16 * 1024;

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies that collect answers before they pass them on would make a live view dead.
  "x-accel-buffering": "no",
} as const;

/**
 * Sends facts until there are no more, at the reader's pace, and ends the response. A reader who takes nothing is cut
 * off: it may come back with the last id it has.
 *
 * @param options.stallMs - How long a reader may take nothing.
 * @param options.check - Called with each event before it is sent.
 * @throws Whatever `facts` throws, after ending the response.
 */
export async function sendEventStream(
  response: ServerResponse,
  facts: AsyncIterable<readonly ShownEvent[]>,
  options: Patience & { readonly check: CheckSent },
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (response.writableLength === 0) response.write(": still here\n\n");
  }, HEARTBEAT_MS);
  try {
    response.write(`retry: ${RETRY_MS}\n\n`);
    for await (const portion of facts) {
      for (const { json } of portion) options.check(json);
      for (const piece of piecesOf(portion)) {
        if (!response.write(piece)) await drained(response, options);
        if (response.destroyed) return;
      }
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** Small events together, so that each does not cost a separate write. */
function* piecesOf(facts: readonly ShownEvent[]): Generator<string> {
  let piece = "";
  for (const { seq, json } of facts) {
    piece += `id: ${seq}\ndata: ${json}\n\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

type Patience = { readonly stallMs: number; readonly onStalled: () => void };

async function drained(response: ServerResponse, { stallMs, onStalled }: Patience): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const stalled = setTimeout(() => {
    onStalled();
    response.destroy();
  }, stallMs);
  try {
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    clearTimeout(stalled);
    waiting.abort();
  }
}
