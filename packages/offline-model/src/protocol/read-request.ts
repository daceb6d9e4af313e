import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { ChatRequest } from "./chat-request.ts";
import { HttpFault } from "./open-ai-error.ts";

export const BODY_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Reads and checks one chat request.
 *
 * @throws {HttpFault} 413 past the limit of `bytesMax`, 400 for a body that is no JSON or no chat request.
 */
export async function readRequest(incoming: IncomingMessage, bytesMax: number): Promise<ChatRequest> {
  const body = parseJson(await readBody(incoming, bytesMax));
  const parsed = ChatRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new HttpFault(`not a chat request: ${z.prettifyError(parsed.error)}`, { status: 400 });
}

async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the connection: the refusal still has to be sent over it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    // No encoding is set on the request, so its chunks are buffers.
    const buffer = z.instanceof(Buffer).parse(chunk);
    bytes += buffer.length;
    if (bytes > bytesMax) {
      throw new HttpFault(`request body is larger than ${bytesMax} bytes`, { status: 413 });
    }
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new HttpFault("request body is not valid JSON", { status: 400, cause });
  }
}
