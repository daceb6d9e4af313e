/**
 * The floor of what a page can show: when a bare client receives each success, over its own WebSocket. It reads the messages
 * directly: the work of a client library would be part of the floor.
 */
import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";

const Heard = z.object({ type: z.literal("event"), event: z.object({ type: z.string(), at: z.string() }) });

export type Ear = Disposable & {
  /** Milliseconds from each success in the log to its arrival. */
  readonly delaysMs: readonly number[];
};

/** Listens to a plan from its first event on; events written before it listened are ignored. */
export async function hearSuccesses(url: string, planId: string): Promise<Ear> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`);
  const delaysMs: number[] = [];
  await once(socket, "open");
  const since = Date.now();
  socket.on("message", (data: Buffer) => {
    const heard = Heard.safeParse(JSON.parse(data.toString()));
    if (!heard.success || heard.data.event.type !== "step.succeeded") return;
    const writtenMs = Date.parse(heard.data.event.at);
    if (writtenMs > since) delaysMs.push(Date.now() - writtenMs);
  });
  socket.send(JSON.stringify({ id: 1, type: "watch", planId }));
  return { delaysMs, [Symbol.dispose]: () => socket.terminate() };
}
