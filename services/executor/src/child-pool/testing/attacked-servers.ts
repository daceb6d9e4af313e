import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { tempFolder } from "../../testing/temp-folder.ts";

export type AttackedServers = AsyncDisposable & {
  readonly port: number;
  /** Path of a socket in the file system. */
  readonly socket: string;
};

/** From RFC 6455: a server appends this to the client's key. */
const WEBSOCKET_ID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * For tests: servers that answer any client, on the loopback interface and on a Unix socket; the former also speaks WebSocket.
 */
export async function startAttackedServers(): Promise<AttackedServers> {
  await using opening = new AsyncDisposableStack();
  const socket = join(opening.use(tempFolder()).path, "server");
  const ports = [];
  for (const where of [{ port: 0, host: "127.0.0.1" }, { path: socket }]) {
    const server = createServer((_request, response) => response.end("hello"));
    server.on("upgrade", ({ headers }, connection) => {
      const key = createHash("sha1").update(`${headers["sec-websocket-key"] ?? ""}${WEBSOCKET_ID}`);
      connection.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key.digest("base64")}\r\n\r\n`,
      );
    });
    server.listen(where);
    opening.defer(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address !== null) ports.push(address.port);
  }
  const owned = opening.move();
  return { port: ports[0] ?? 0, socket, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
