// Work queues with a real nats-server: which messages are delivered, to which worker, and how often.
import { connectBus, createPublish, provision, STREAMS } from "@planwright/shared/bus";
import { PermanentError } from "@planwright/shared/errors";
import { consumeWork, startAckRenewal, TakenOverError, type WorkHandler } from "@planwright/shared/queue";
import { startNats } from "@planwright/testkit";
import { pino } from "pino";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";

const log = pino({ level: "silent" });
const Work = z.object({ name: z.string() });
type Work = z.infer<typeof Work>;
const queue = { durable: "pool-default", filter: "work.step.default.>", Schema: Work };

async function setUp() {
  const stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const connect = async () => stack.use(await connectBus({ url: nats.url, name: "test" }));
  const bus = await connect();
  await provision(bus);
  const publish = createPublish(bus);
  const worker = async (
    concurrency: number,
    handler: Partial<WorkHandler<Work>>,
    more: { readonly drainMs?: number } = {},
  ) => {
    const own = await connect();
    const renewal = stack.use(await startAckRenewal({ url: nats.url, count: concurrency, log }));
    const full = { handle: async () => undefined, giveUp: async () => undefined, ...handler };
    return consumeWork(
      { bus: own, publish: createPublish(own), renewal, log },
      { ...queue, ...more, concurrency },
      full,
    );
  };
  /** A worker that can die like a killed process: without answering its messages in progress. */
  const mortal = async (
    concurrency: number,
    handle: WorkHandler<Work>["handle"],
    given: (said: string) => void,
  ) => {
    const own = await connect();
    const renewal = stack.use(await startAckRenewal({ url: nats.url, count: concurrency, log }));
    const giveUp = async ({ name }: Work, cause: string) => given(`${name}: ${cause}`);
    const deps = { bus: own, publish: createPublish(own), renewal, log };
    stack.use(await consumeWork(deps, { ...queue, concurrency, drainMs: 0 }, { handle, giveUp }));
    return async () => {
      await renewal[Symbol.asyncDispose]();
      await own.connection.close();
    };
  };
  /** Delivers the message `times` times, and loses each delivery. */
  const lose = async (times: number) => {
    const pulled = await bus.js.consumers.get(STREAMS.work, queue.durable);
    for (let time = 1; time <= times; time++) (await pulled.next())?.nak();
  };
  const send = (name: string) => publish(`work.step.default.${name}`, { name }, { id: name });
  const left = async () => (await bus.manager.streams.info(STREAMS.work)).state.messages;
  return {
    url: nats.url,
    bus,
    publish,
    worker,
    mortal,
    lose,
    send,
    left,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Resolves once `count` calls have been made. */
function counter(count: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const names: string[] = [];
  return {
    names,
    reached: promise,
    add(name: string) {
      names.push(name);
      if (names.length === count) resolve();
    },
  };
}

it("shares the work between workers, within the concurrency of each", async () => {
  await using t = await setUp();
  const started = counter(4);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const handle = async ({ name }: Work) => {
    started.add(name);
    await gate;
  };
  await using first = await t.worker(2, { handle });
  await using second = await t.worker(2, { handle });
  for (const name of ["a", "b", "c", "d", "e", "f"]) await t.send(name);
  await started.reached;
  expect([first.inHand(), second.inHand(), started.names.length]).toEqual([2, 2, 4]);
  open();
  await expect.poll(() => started.names.length).toBe(6);
  await expect.poll(t.left).toBe(0);
  expect(new Set(started.names).size).toBe(6);
});

it("keeps a message that takes longer than the ack wait, even while the thread is blocked (WORK-2)", async () => {
  await using t = await setUp();
  const runs = counter(1);
  await using _worker = await t.worker(1, {
    async handle({ name }) {
      runs.add(name);
      // Far longer than the ack wait, without yielding to the event loop.
      const until = Date.now() + 3_500;
      while (Date.now() < until);
    },
  });
  await t.send("slow");
  await runs.reached;
  await expect.poll(t.left, { timeout: 10_000 }).toBe(0);
  expect(runs.names).toEqual(["slow"]);
});

it("gives each delivery the time at which the message was stored", async () => {
  await using t = await setUp();
  const stored: Date[] = [];
  await using _worker = await t.worker(1, {
    async handle(_work, { storedAt, deliveries }) {
      stored.push(storedAt);
      if (deliveries === 1) throw new Error("once more");
    },
  });
  await t.send("twice");
  await expect.poll(() => stored.length, { timeout: 10_000 }).toBe(2);
  const [first, second] = stored;
  expect(second).toEqual(first);
  expect(first?.getTime()).toBeGreaterThan(0);
});

it("redelivers transient failures, and dead-letters permanent ones (WORK-1)", async () => {
  await using t = await setUp();
  const seen: [string, number][] = [];
  const given = counter(1);
  await using _worker = await t.worker(1, {
    async handle({ name }, { deliveries }) {
      seen.push([name, deliveries]);
      if (name === "never") throw new PermanentError("no such thing");
      if (deliveries === 1) throw new Error("a hiccup");
    },
    giveUp: async ({ name }, cause) => given.add(`${name}: ${cause}`),
  });
  await t.send("later");
  await t.send("never");
  await given.reached;
  await expect.poll(t.left, { timeout: 10_000 }).toBe(0);
  expect(given.names).toEqual(["never: no such thing"]);
  expect(seen.map(([name, deliveries]) => `${name} ${deliveries}`)).toEqual([
    "later 1",
    "never 1",
    "later 2",
  ]);
  expect((await t.bus.manager.streams.info(STREAMS.dead)).state.messages).toBe(1);
});

it("moves what is not work to the dead letters", async () => {
  await using t = await setUp();
  await using _worker = await t.worker(1, {});
  await t.publish("work.step.default.x", { title: "no name" }, { id: "x" });
  await expect.poll(t.left).toBe(0);
  const dead = await t.bus.manager.streams.getMessage(STREAMS.dead, { last_by_subj: "dead.>" });
  expect(dead?.json()).toMatchObject({ cause: expect.stringContaining("malformed work") });
});

it("gives a dead worker's message to another one", async () => {
  await using t = await setUp();
  const taken = counter(1);
  const dead = await t.worker(
    1,
    {
      async handle({ name }, { signal }) {
        taken.add(name);
        await new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      },
    },
    { drainMs: 50 },
  );
  await t.send("a");
  await taken.reached;
  const again = counter(1);
  await using _other = await t.worker(1, {
    handle: async ({ name }, { deliveries }) => again.add(`${name} ${deliveries}`),
  });
  await dead[Symbol.asyncDispose]();
  await again.reached;
  expect(again.names).toEqual(["a 2"]);
});

it("hands back the work that does not heed its signal when its worker stops, and leaves it behind (WORK-4)", async () => {
  await using t = await setUp();
  const stuck = counter(1);
  let wasAsked = false;
  const deaf = await t.worker(
    1,
    {
      handle: ({ name }, { signal }) => {
        signal.addEventListener("abort", () => {
          wasAsked = true;
        });
        stuck.add(name);
        return new Promise(() => undefined);
      },
    },
    { drainMs: 50 },
  );
  await t.send("a");
  await stuck.reached;
  await deaf[Symbol.asyncDispose]();
  expect(wasAsked).toBe(true);
  expect(deaf.inHand()).toBe(0);
  const taken = counter(1);
  await using _other = await t.worker(1, { handle: async ({ name }) => taken.add(name) });
  await taken.reached;
  await expect.poll(t.left).toBe(0);
});

it("counts no failure when stopping workers hand a message back, but reports its deliveries (WORK-4)", async () => {
  await using t = await setUp();
  await t.publish("work.step.default.a", { name: "a" }, { id: "a", headers: { "X-Kept": "yes" } });
  const seen: string[] = [];
  for (let worker = 1; worker <= 2; worker++) {
    const taken = counter(1);
    const stopping = await t.worker(
      1,
      {
        async handle({ name }, { deliveries, signal, ...context }) {
          taken.add(name);
          seen.push(`${name} ${deliveries} ${context.header("X-Kept")}`);
          await new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason)),
          );
        },
      },
      { drainMs: 50 },
    );
    await taken.reached;
    await stopping[Symbol.asyncDispose]();
    // Another connection may read the count before the server has received the last acknowledgement.
    await expect.poll(t.left).toBe(1);
    expect((await t.bus.manager.streams.info(STREAMS.work)).state.last_seq).toBe(worker + 1);
  }
  expect(seen).toEqual(["a 1 yes", "a 2 yes"]);
});

it("dead-letters work that fails every time, with the last error (WORK-3)", async () => {
  await using t = await setUp();
  const given = counter(1);
  await using _worker = await t.worker(1, {
    handle: () => Promise.reject(new Error("nobody listens there")),
    giveUp: async (_work, cause) => given.add(cause),
  });
  await t.send("a");
  await given.reached;
  expect(given.names).toEqual(["failed 5 times, at last: nobody listens there"]);
});

it("dead-letters the work that kills its workers, and not the work in flight beside it (WORK-3)", async () => {
  await using t = await setUp();
  const given = counter(1);
  const done = counter(1);
  let kills = 0;
  await t.send("killer");
  await t.send("innocent");
  const over = Promise.all([given.reached, done.reached]).then(() => "over" as const);
  for (let state: "over" | "dead" = "dead"; state === "dead"; ) {
    const death = Promise.withResolvers<"dead">();
    let isDead = false;
    const handle = async ({ name }: Work) => {
      if (name === "innocent") await delay(200);
      else {
        isDead = true;
        kills += 1;
        death.resolve("dead");
      }
      // A dead worker's messages in progress are never answered.
      if (isDead) await new Promise(() => undefined);
      done.add(name);
    };
    const kill = await t.mortal(2, handle, (said) => given.add(said));
    state = await Promise.race([death.promise, over]);
    await kill();
  }
  expect(given.names).toEqual(["killer: its worker died 5 times while it ran only this work"]);
  expect(done.names).toEqual(["innocent"]);
  expect(kills).toBeGreaterThan(5);
});

it("runs work whose deliveries were lost more often than work may fail", async () => {
  await using t = await setUp();
  await t.send("a");
  await t.lose(8);
  const taken = counter(1);
  await using _worker = await t.worker(1, {
    handle: async ({ name }, { deliveries }) => taken.add(`${name} ${deliveries}`),
  });
  await taken.reached;
  await expect.poll(t.left).toBe(0);
  expect(taken.names).toEqual(["a 9"]);
});

it("dead-letters work whose deliveries are lost forever (WORK-3)", async () => {
  await using t = await setUp();
  await t.send("a");
  await t.lose(25);
  const given = counter(1);
  await using _worker = await t.worker(1, { giveUp: async (_work, cause) => given.add(cause) });
  await given.reached;
  expect(given.names).toEqual([
    "delivered 25 times without a result: its workers died or lost their connection",
  ]);
});

it("neither runs a message beside itself nor answers for the worker that has it by now (WORK-1, WORK-5)", async () => {
  await using t = await setUp();
  const seen: string[] = [];
  const taken = counter(1);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  // Renews nothing, like a worker that is stopped.
  const renewForMs = () => 0;
  await using _slow = await t.worker(2, {
    renewForMs,
    async handle(_work, { deliveries }) {
      seen.push(`slow ${deliveries}`);
      if (deliveries > 1) return;
      await gate;
      throw new TakenOverError("delivery 3 has begun");
    },
  });
  const delivered = async () =>
    (await t.bus.manager.consumers.info(STREAMS.work, queue.durable)).delivered.consumer_seq;
  await t.send("a");
  await expect.poll(delivered).toBe(2);
  await using _other = await t.worker(1, {
    renewForMs,
    async handle(_work, { deliveries }) {
      seen.push(`other ${deliveries}`);
      taken.add("a");
      await over;
    },
  });
  await taken.reached;
  open();
  await expect.poll(t.left).toBe(0);
  end();
  expect(seen).toEqual(["slow 1", "other 3", "slow 4"]);
});

it("keeps its slots for other work when a message in progress is redelivered because its renewal is late (WORK-5)", async () => {
  await using t = await setUp();
  const renewal = await startAckRenewal({ url: t.url, count: 2, log });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const handler = {
    async handle({ name }: Work) {
      seen.push(name);
      if (name === "long") await gate;
    },
    giveUp: async () => undefined,
  };
  const deps = { bus: t.bus, publish: t.publish, renewal, log };
  await using _worker = await consumeWork(deps, { ...queue, concurrency: 2 }, handler);
  await t.send("long");
  await expect.poll(() => seen).toEqual(["long"]);
  await renewal[Symbol.asyncDispose]();
  const delivered = async () =>
    (await t.bus.manager.consumers.info(STREAMS.work, queue.durable)).delivered.consumer_seq;
  await expect.poll(delivered).toBeGreaterThan(2);
  await t.send("short");
  await expect.poll(() => seen).toEqual(["long", "short"]);
  open();
  await expect.poll(t.left).toBe(0);
  expect(seen).toEqual(["long", "short"]);
});
