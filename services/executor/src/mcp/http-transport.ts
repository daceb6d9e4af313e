/** A server that is somewhere else, spoken to over streamable HTTP. */
import { type FetchLike, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { createFloodGate, type FloodGate } from "./flood-gate.ts";
import type { HttpTarget } from "./mcp-file.ts";

/** Of one answer that is no stream of events. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const EVENTS = "text/event-stream";

/** @param onFlood - Told when the server sends more than may be read. */
export function createHttpTransport(target: HttpTarget, onFlood: (why: string) => void): Transport {
  const gate = createFloodGate(() => performance.now());
  const guarded: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    return response.body === null ? response : limited(response, response.body, { gate, onFlood });
  };
  return new StreamableHTTPClientTransport(new URL(target.url), {
    requestInit: { headers: target.headers },
    fetch: guarded,
  });
}

function limited(
  response: Response,
  body: ReadableStream<Uint8Array>,
  { gate, onFlood }: { readonly gate: FloodGate; readonly onFlood: (why: string) => void },
): Response {
  const isStream = response.headers.get("content-type")?.startsWith(EVENTS) === true;
  let bytes = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        try {
          gate.pass(chunk);
          if (!isStream && bytes > ANSWER_BYTES_MAX) {
            throw new RangeError(`its response has more than ${ANSWER_BYTES_MAX} bytes`);
          }
        } catch (error) {
          onFlood(error instanceof Error ? error.message : String(error));
          throw error;
        }
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}
