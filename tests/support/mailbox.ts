/** A mail server on loopback that takes every message and keeps it. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type Mailbox = AsyncDisposable & {
  /** `smtp://127.0.0.1:<port>` */
  readonly url: string;
  /** As they came, headers first. */
  readonly messages: readonly string[];
};

export async function startMailbox(): Promise<Mailbox> {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write("220 ready\r\n");
    let content: string[] | undefined;
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + String(chunk)).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (content !== undefined && line !== ".") {
          content.push(line);
          continue;
        }
        if (content !== undefined) messages.push(content.join("\r\n"));
        content = line === "DATA" ? [] : undefined;
        socket.write(line === "DATA" ? "354 go on\r\n" : line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
