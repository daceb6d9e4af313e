import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Waits until the client has read the written data; returns false when it has disconnected instead. */
export async function write(
  response: ServerResponse,
  data: string | Buffer,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted || response.destroyed) return false;
  if (response.write(data)) return true;
  return await once(response, "drain", { signal }).then(
    () => true,
    () => false,
  );
}

/** Resolves when the client has disconnected or the server closes. */
export async function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Sends one whole JSON body; a string is sent unchanged. */
export function sendJson(
  response: ServerResponse,
  {
    status,
    body,
    headers = {},
  }: { status: number; body: unknown; headers?: Readonly<Record<string, string>> },
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
