import { once } from "node:events";
import { expect } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { z } from "zod";

const Told = z.looseObject({ type: z.string() });
export type Told = z.infer<typeof Told>;

/** A client of the gateway's WebSocket that keeps what it was told. */
export type SocketClient = AsyncDisposable & {
  readonly told: readonly Told[];
  /** Sends an object as JSON, anything else unchanged. */
  say(message: object | string | Buffer): void;
  /** Waits until something that fits was told. */
  hear(fits: (message: Told) => boolean): Promise<Told>;
  /** Calls it with everything that is told from now on. */
  onTold(hears: (message: Told) => void): void;
  /** The close code, once the connection has ended. */
  closed(): Promise<number>;
};

/** @throws When the gateway refuses the connection; the message holds the status. */
export async function connectSocket(
  url: string,
  { protocols = [], ...options }: ClientOptions & { protocols?: string[] } = {},
): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`, protocols, options);
  const told: Told[] = [];
  const hearers: ((message: Told) => void)[] = [];
  const closed = Promise.withResolvers<number>();
  socket.on("message", (data: Buffer) => {
    const message = Told.parse(JSON.parse(data.toString()));
    told.push(message);
    for (const hears of hearers) hears(message);
  });
  socket.on("close", closed.resolve);
  await once(socket, "open");
  // From here on a fault ends the connection, and that is what `closed` tells.
  socket.on("error", () => undefined);
  return {
    told,
    say: (message) =>
      socket.send(
        typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message),
      ),
    async hear(fits) {
      await expect
        .poll(() => told.some(fits), { message: `heard ${JSON.stringify(told.slice(-3))}` })
        .toBe(true);
      return Told.parse(told.find(fits));
    },
    onTold: (hears) => void hearers.push(hears),
    closed: () => closed.promise,
    async [Symbol.asyncDispose]() {
      socket.terminate();
    },
  };
}
