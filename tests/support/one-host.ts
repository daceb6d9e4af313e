/** One host for a user's files and for the gateway behind it, as a reverse proxy puts them together. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import net from "node:net";
import path from "node:path";
import type { Duplex } from "node:stream";

export type OneHost = AsyncDisposable & {
  readonly url: string;
  /** How many WebSockets were opened so far. */
  readonly sockets: () => number;
  /** Breaks every connection to the gateway; new ones work. */
  readonly cut: () => void;
};

const MEDIA: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/**
 * Serves the files of `folder`; what is under `/v1/` is the gateway's, when there is one.
 *
 * @param gateway - Its URL. Requests keep the `Host` that the browser sent, which the gateway compares with `Origin`.
 */
export async function startOneHost(folder: string, gateway?: string): Promise<OneHost> {
  const carried = new Set<Duplex>();
  let sockets = 0;
  const relay = (asked: IncomingMessage, response: ServerResponse): void => {
    const { method, url, headers } = asked;
    const passed = request(`${gateway}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", () => response.destroy()).pipe(response);
    });
    carried.add(asked.socket);
    response.once("close", () => passed.destroy());
    asked.pipe(passed.on("error", () => response.destroy()));
  };
  const server = createServer((asked, response) => {
    const { pathname } = new URL(asked.url ?? "/", "http://files");
    if (gateway !== undefined && pathname.startsWith("/v1/")) return relay(asked, response);
    sendFile(path.join(folder, path.normalize(pathname)), response).catch(() =>
      response.writeHead(404).end(),
    );
  });
  server.on("upgrade", (asked: IncomingMessage, socket: Duplex) => {
    sockets += 1;
    const { hostname, port } = new URL(gateway ?? "http://127.0.0.1:9");
    const upstream = net.connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      carried.add(one.on("error", () => undefined).once("close", () => other.destroy()));
    }
    upstream.write(`GET ${asked.url} HTTP/1.1\r\n${headerLines(asked)}\r\n\r\n`);
    socket.pipe(upstream).pipe(socket);
  });
  return {
    url: await listen(server),
    sockets: () => sockets,
    cut() {
      for (const socket of carried) socket.destroy();
      carried.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of carried) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function sendFile(file: string, response: ServerResponse): Promise<void> {
  const content = await readFile(file);
  response.writeHead(200, { "content-type": MEDIA[path.extname(file)] ?? "application/octet-stream" });
  response.end(content);
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  const names = rawHeaders.filter((_, place) => place % 2 === 0);
  return names.map((name, place) => `${name}: ${rawHeaders[2 * place + 1]}`).join("\r\n");
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("wanted a port");
  return `http://127.0.0.1:${address.port}`;
}
