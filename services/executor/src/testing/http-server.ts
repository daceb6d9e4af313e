/** For unit tests: an HTTP server on loopback whose routes are functions. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Route = (request: IncomingMessage, response: ServerResponse) => void;

export type HttpServer = AsyncDisposable & {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly url: (path: string) => string;
  /** The requested paths, in order. */
  readonly asked: readonly string[];
};

/** @param routes - By path without the query; any other path gets a 404. */
export async function startHttpServer(routes: Readonly<Record<string, Route>>): Promise<HttpServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const route = routes[path.split("?")[0] ?? ""];
    if (route === undefined) response.writeHead(404).end("no such page");
    else route(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${portOf(server)}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A route that responds with 200 and a body. */
export function reply(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Route {
  return (_request, response) => response.writeHead(200, headers).end(body);
}

/** A route that redirects. */
export function redirect(location: string, status = 302): Route {
  return (_request, response) => response.writeHead(status, { location }).end();
}

function portOf(server: Server): number {
  // A server that listens on TCP has such an address.
  return (server.address() as AddressInfo).port;
}
