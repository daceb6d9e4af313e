import { once } from "node:events";
import net from "node:net";

/** A network between a service and a server that can fail. */
export type TcpProxy = AsyncDisposable & {
  /** The server's URL through this network. */
  readonly url: string;
  /** Closes every connection, and refuses new ones until `heal`. */
  cut(): void;
  /** Transmits nothing on old and new connections until `heal`; neither side is notified. */
  swallow(): void;
  /** Transmits nothing on existing connections ever again, like a router that forgot them; new ones work. */
  forget(): void;
  /** Delays each chunk by this many milliseconds. */
  slow(ms: number): void;
  heal(): void;
};

type Way = { readonly to: net.Socket; readonly held: Buffer[] };

/** Starts a network to `target`, such as `nats://127.0.0.1:4222`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port, protocol } = new URL(target);
  const sockets = new Set<net.Socket>();
  const forgotten = new WeakSet<net.Socket>();
  let ways: Way[] = [];
  let state: "open" | "cut" | "swallowing" = "open";
  let delayMs = 0;

  const carry = (from: net.Socket, to: net.Socket): void => {
    const way: Way = { to, held: [] };
    ways.push(way);
    from.on("data", (piece: Buffer) => {
      if (forgotten.has(from)) return;
      if (state === "swallowing") way.held.push(piece);
      else if (delayMs > 0) setTimeout(() => to.write(piece), delayMs);
      else to.write(piece);
    });
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      ways = ways.filter((one) => one !== way);
      if (!forgotten.has(from)) to.destroy();
    });
  };
  const server = net.createServer((client) => {
    if (state === "cut") {
      client.destroy();
      return;
    }
    const upstream = net.connect(Number(port), hostname);
    for (const socket of [client, upstream]) sockets.add(socket.setNoDelay(true));
    carry(client, upstream);
    carry(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("wanted a port");
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    url: `${protocol}//127.0.0.1:${address.port}`,
    cut() {
      state = "cut";
      endAll();
    },
    swallow() {
      state = "swallowing";
    },
    forget() {
      for (const socket of sockets) forgotten.add(socket);
    },
    slow(ms) {
      delayMs = ms;
    },
    heal() {
      state = "open";
      delayMs = 0;
      for (const { to, held } of ways) for (const piece of held.splice(0)) to.write(piece);
    },
    async [Symbol.asyncDispose]() {
      endAll();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
