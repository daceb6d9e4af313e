/** A WebSocket client that keeps all received messages. */
import { once } from "node:events";
import { expect } from "vitest";
import { type ClientOptions, WebSocket } from "ws";

export type Told = { readonly type: string; readonly [field: string]: unknown };

export type TestSocket = AsyncDisposable & {
  readonly socket: WebSocket;
  readonly told: readonly Told[];
  say(message: object | string | Buffer): void;
  /** Waits until a matching message has been received. */
  hear(fits: (message: Told) => boolean): Promise<Told>;
  /** The close code, once the connection has ended. */
  closed(): Promise<number>;
  /** The close code with its reason. */
  closedWith(): Promise<{ code: number; reason: string }>;
};

export async function connectSocket(
  url: string,
  { protocols = ["planwright.v1"], ...options }: ClientOptions & { protocols?: string[] } = {},
): Promise<TestSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`, protocols, options);
  const told: Told[] = [];
  const ended = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on("message", (data: Buffer) => told.push(JSON.parse(data.toString()) as Told));
  socket.on("close", (code, reason) => ended.resolve({ code, reason: reason.toString() }));
  socket.on("error", () => undefined);
  await once(socket, "open");
  return {
    socket,
    told,
    say: (message) =>
      socket.send(
        typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message),
      ),
    async hear(fits) {
      await expect.poll(() => told.find(fits)).toBeDefined();
      return told.find(fits) as Told;
    },
    closed: async () => (await ended.promise).code,
    closedWith: () => ended.promise,
    async [Symbol.asyncDispose]() {
      socket.terminate();
    },
  };
}

/** The status with which the gateway refuses to open a WebSocket. */
export async function refusedWith(
  url: string,
  options: ClientOptions & { protocols?: string[] },
): Promise<number> {
  const { protocols = ["planwright.v1"], ...rest } = options;
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`, protocols, rest);
  const [error] = (await once(socket, "error")) as [Error];
  return Number(/Unexpected server response: (\d+)/.exec(error.message)?.[1]);
}
