// Ten thousand submissions in about a second: each is refused with the time to come again, or accepted and finished.
import { startSystem, type TestSystem } from "@planwright/testkit";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { connectSocket } from "./support/connect-socket.ts";

const PLANS = 10_000;
const SOCKETS = 20;
/** So many are sent every 10 ms. */
const PACE = PLANS / 100;
const MEMORY_MIB_MAX = 1_024;

const Accepted = z.object({ planId: z.string() });
const Refused = z.object({
  code: z.enum(["too_many_submissions", "too_many_open_plans", "rate_limited", "overloaded", "unavailable"]),
  retryAfterSeconds: z.int().positive(),
});
type Refused = z.infer<typeof Refused>;
/** `reset`: a connection that was kept open had just been closed; nothing is known, and the key makes it safe to repeat. */
type Told = { readonly planId: string } | Refused | { readonly code: "reset"; readonly retryAfterSeconds: 1 };
type Door = (key: string) => Promise<Told>;

const body = {
  goal: "one of many",
  plan: { steps: [{ id: "a", tool: "flow.echo", args: { value: 1 } }] },
};

/** Many connections, each with one request at a time. */
function httpDoor(system: TestSystem, agent: Agent): Door {
  const text = JSON.stringify(body);
  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Told>();
    const headers = { "content-type": "application/json", "idempotency-key": key };
    const call = request(`${system.url}/v1/plans`, { method: "POST", agent, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", () => resolve({ code: "reset", retryAfterSeconds: 1 }));
      response.on("end", () => {
        try {
          const answer: unknown = JSON.parse(Buffer.concat(pieces).toString());
          if (response.statusCode === 202) resolve(Accepted.parse(answer));
          else resolve(Refused.parse(answer));
        } catch (error) {
          reject(error);
        }
      });
    });
    call.on("error", () => resolve({ code: "reset", retryAfterSeconds: 1 }));
    call.end(text);
    return promise;
  };
}

/** Everything over one WebSocket, without waiting for answers. */
async function socketDoor(system: TestSystem): Promise<Door & AsyncDisposable> {
  const client = await connectSocket(system.url);
  const waiting = new Map<string, PromiseWithResolvers<Told>>();
  client.onTold((message) => {
    const one = waiting.get(String(message["id"]));
    if (one === undefined) return;
    if (message.type === "accepted") one.resolve(Accepted.parse(message));
    else one.resolve(Refused.parse(message));
  });
  let sent = 0;
  const door: Door = (idempotencyKey) => {
    const id = String((sent += 1));
    const answer = Promise.withResolvers<Told>();
    waiting.set(id, answer);
    client.say({ id, type: "submit", body, idempotencyKey });
    return answer.promise;
  };
  return Object.assign(door, { [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() });
}

async function figure(system: TestSystem, name: string): Promise<number> {
  const text = await (await system.client.fetch("/metrics")).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

async function memoryMib(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024);
}

it("refuses or finishes each of 10,000 submissions in a second, and forgets none", async () => {
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await startSystem());
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  stack.defer(() => agent.destroy());
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => socketDoor(system)));
  for (const socket of sockets) stack.use(socket);
  const doors = sockets.flatMap((socket) => [socket, httpDoor(system, agent)]);

  const refusals = new Map<string, number>();
  const submit = async (index: number): Promise<string> => {
    const door = doors[index % doors.length] as Door;
    for (;;) {
      const told = await door(`key-${index}`);
      if ("planId" in told) return told.planId;
      refusals.set(told.code, (refusals.get(told.code) ?? 0) + 1);
      await delay(told.retryAfterSeconds * 1_000 * (1 + Math.random()));
    }
  };
  const startedAt = performance.now();
  const running: Promise<string>[] = [];
  while (running.length < PLANS) {
    for (let count = 0; count < PACE; count++) running.push(submit(running.length));
    await delay(Math.max(0, startedAt + (running.length / PACE) * 10 - performance.now()));
  }
  const sentMs = performance.now() - startedAt;
  const planIds = await Promise.all(running);
  const acceptedMs = performance.now() - startedAt;
  expect(new Set(planIds).size).toBe(PLANS);
  await expect
    .poll(() => figure(system, 'planwright_plans\\{status="succeeded"\\}'), {
      timeout: 600_000,
      interval: 250,
    })
    .toBe(PLANS);
  const endedMs = performance.now() - startedAt;
  expect(await figure(system, "planwright_open_plans")).toBe(0);

  const memory: Record<string, number> = {};
  for (const name of ["gateway", "planner", "executor"] as const) {
    memory[name] = await memoryMib(system.processes(name)[0]?.process.pid);
  }
  console.log(
    JSON.stringify({
      plans: PLANS,
      sentMs,
      acceptedMs,
      endedMs,
      refusals: Object.fromEntries(refusals),
      memory,
    }),
  );
  for (const mib of Object.values(memory)) expect(mib).toBeLessThan(MEMORY_MIB_MAX);
});
