// A thousand WebSocket watchers of one plan.
import { startSystem } from "@planwright/testkit";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

const WATCHERS = 1_000;
const STEPS = 200;
const OUTPUT_CHARS = 1_000;
const MEMORY_MIB_MAX = 1_024;

const Told = z.looseObject({
  type: z.string(),
  seq: z.int().optional(),
  event: z.looseObject({ type: z.string() }).optional(),
});

type Watcher = {
  readonly socket: WebSocket;
  readonly seqs: number[];
  readonly ended: Promise<void>;
  readonly answer: Promise<z.output<typeof Told>>;
};

async function watch(url: string, planId: string): Promise<Watcher> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`);
  const seqs: number[] = [];
  const ended = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<z.output<typeof Told>>();
  socket.on("error", () => undefined);
  socket.on("message", (data: Buffer) => {
    const told = Told.parse(JSON.parse(data.toString()));
    if (told.seq === undefined) answer.resolve(told);
    else seqs.push(told.seq);
    if (told.event?.type === "plan.ended") ended.resolve();
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ id: "w", type: "watch", planId }));
  return { socket, seqs, ended: ended.promise, answer: answer.promise };
}

async function memoryMib(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024);
}

it("sends 1,000 watchers of one plan every event once and in order, and refuses one more", async () => {
  await using system = await startSystem();
  // What there is to see comes once most of them watch.
  const wait = { id: "wait", tool: "flow.wait", args: { ms: 20_000 } };
  const text = "x".repeat(OUTPUT_CHARS);
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    id: `s${index}`,
    tool: "flow.echo",
    args: { value: { $ref: `large.output` } },
    dependsOn: ["wait"],
  }));
  const large = { id: "large", tool: "flow.echo", args: { value: text } };
  const body = { goal: "watched by many", plan: { steps: [wait, large, ...steps], answerFrom: "s0" } };
  const { planId } = await system.client.submit(body);
  const watchers: Watcher[] = [];
  while (watchers.length < WATCHERS) {
    watchers.push(...(await Promise.all(Array.from({ length: 50 }, () => watch(system.url, planId)))));
  }
  for (const { answer } of watchers) expect(await answer).toMatchObject({ type: "ok" });
  const late = await watch(system.url, planId);
  expect(await late.answer).toMatchObject({ type: "error", code: "too_many_watchers", retryAfterSeconds: 5 });

  await Promise.all(watchers.map(({ ended }) => ended));
  const { status, seq } = await system.client.view(planId);
  expect(status).toBe("succeeded");
  const every = Array.from({ length: seq }, (_, index) => index + 1);
  for (const { seqs } of watchers) expect(seqs).toEqual(every);
  const memory = await memoryMib(system.processes("gateway")[0]?.process.pid);
  console.log(JSON.stringify({ watchers: WATCHERS, facts: seq, gatewayMib: memory }));
  expect(memory).toBeLessThan(MEMORY_MIB_MAX);
  for (const { socket } of [late, ...watchers]) socket.terminate();
});
