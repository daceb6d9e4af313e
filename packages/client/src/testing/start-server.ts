/** An HTTP server on loopback that responds from a script. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  readonly method: string;
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

export type Respond = (response: http.ServerResponse, request: Received, count: number) => void;

/** @param respond - Called with each request, and the number of requests before it. */
export async function startServer(respond: Respond) {
  const received: Received[] = [];
  const take = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const parts: Uint8Array[] = [];
    for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
    const seen: Received = {
      method: request.method ?? "",
      url: new URL(request.url ?? "", "http://loopback"),
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    };
    received.push(seen);
    respond(response, seen, received.length - 1);
  };
  const server = http.createServer((request, response) => void take(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

export function sendJson(response: http.ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A refusal in the gateway's format. */
export function sendProblem(
  response: http.ServerResponse,
  status: number,
  problem: { readonly code: string; readonly detail?: string; readonly retryAfterSeconds?: number },
): void {
  response.writeHead(status, { "content-type": "application/problem+json" }).end(
    JSON.stringify({
      type: `urn:planwright:problem:${problem.code}`,
      title: "",
      detail: "",
      status,
      ...problem,
    }),
  );
}
