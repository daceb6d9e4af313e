// The store is full while plans run: nothing more is accepted, nothing that was accepted is lost, and everything goes
// on by itself when there is room again, timers that came due meanwhile included.
import { setTimeout as delay } from "node:timers/promises";
import { STREAMS } from "@planwright/shared/bus";
import { type FaultySystem, startFaultySystem } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";

const MIB = 1024 * 1024;
/** More than the streams reserve for themselves. */
const STORE_BYTES = 320 * MIB;
const FILLER = "artifact.filler";
const RETRY_MS = 1_000;

let faulty: FaultySystem;
let isFileLimited = true;
beforeAll(async () => {
  faulty = await startFaultySystem({ nats: { maxFileStoreBytes: STORE_BYTES, maxFileBytes: MIB } });
});
afterAll(() => faulty[Symbol.asyncDispose]());

it("brings every accepted plan to its end when a file of the store could grow no further for a while", async () => {
  const { client } = faulty.system;
  const { js } = faulty.bus;
  let late = "";
  const broken = await faulty.during(async () => {
    // In the stream of the plans, where no reader of plans looks.
    await js.publish("timer.0.filler.first", Buffer.alloc(MIB * 0.9));
    const isTaken = () =>
      js.publish("timer.0.filler.next", "", { timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    await expect.poll(isTaken).toBe(false);
    const submitting = client.submit(retrying(`${faulty.flakyUrl}/limited`));
    await delay(100);
    await liftFileLimit();
    late = (await submitting).planId;
  });
  expect(broken).toEqual([]);
  expect(await client.ended(late)).toMatchObject({ status: "succeeded", answer: { text: "200" } });
});

it("refuses plans while the store is full, and brings every accepted one to its end when there is room", async () => {
  const { client } = faulty.system;
  await liftFileLimit();
  let retried = "";
  const broken = await faulty.during(async () => {
    await fill();
    await empty(`${FILLER}.0`);
    retried = (await client.submit(retrying(`${faulty.flakyUrl}/full`))).planId;
    await expect
      .poll(async () => (await client.view(retried)).steps[0])
      .toMatchObject({ status: "waiting", waitingFor: "retry" });
    await fill();
    const refused = await client.fetch("/v1/plans", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(retrying(faulty.flakyUrl)),
    });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: "store_full" });
    await delay(2 * RETRY_MS);
    await empty(`${FILLER}.*`);
  });
  expect(broken).toEqual([]);
  expect(await client.ended(retried)).toMatchObject({ status: "succeeded", answer: { text: "200" } });
});

const retrying = (url: string) => ({
  goal: "try again",
  plan: {
    steps: [
      { id: "fetch", tool: "http.fetch", args: { url }, retry: { backoffMs: RETRY_MS } },
      { id: "all", tool: "flow.echo", args: { value: "{{fetch.output.status}}" } },
    ],
    answerFrom: "all",
  },
});

/** As a server does that is started again: only the first one has a limit of its files. */
async function liftFileLimit(): Promise<void> {
  if (!isFileLimited) return;
  isFileLimited = false;
  await faulty.system.nats.restart();
}

/** Until the server takes no more. */
async function fill(): Promise<void> {
  const piece = Buffer.alloc(MIB);
  for (let number = 0; ; number++) {
    const stored = await faulty.bus.js.publish(`${FILLER}.${number}`, piece).catch(() => undefined);
    if (stored === undefined) return;
  }
}

async function empty(filter: string): Promise<void> {
  await faulty.bus.manager.streams.purge(STREAMS.artifacts, { filter });
}
