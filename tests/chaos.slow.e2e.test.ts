// Whatever dies, and however often: every plan ends with its own answer, and each step has one outcome.
import { setTimeout as delay } from "node:timers/promises";
import { plan } from "@planwright/client";
import { createClient, SERVICE_NAMES, type ServiceName, type TestSystem } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem({ alone: SERVICE_NAMES });

const PLANS = 30;
/** Between two plans, in milliseconds: so that something dies in each part of a plan's life. */
const PACE_MS = 150;

const planOf = (number: number) => ({
  goal: `number ${number}`,
  plan: plan(({ step }) => {
    const first = step("first", "flow.echo", { value: number });
    const slow = step("slow", "flow.wait", { ms: 300, value: number });
    const after = { dependsOn: [slow] };
    const left = step("left", "flow.echo", { value: first.output }, after);
    const right = step("right", "flow.echo", { value: first.output }, after);
    const file = step("file", "files.write", { path: "note.txt", content: String(right.output) });
    return step("all", "flow.echo", { value: `${String(left.output)} ${String(file.output.path)}` });
  }),
});

it("loses, repeats and mixes up nothing while services and nats-server die and come back", async () => {
  const { system } = shared;
  await Promise.all([system.start("executor"), system.start("planner")]);
  const stopped = new AbortController();
  const dying = letDie(system, stopped.signal);
  const planIds: string[] = [];
  for (let number = 0; number < PLANS; number++) {
    planIds.push(await submitUntilTaken(system, number));
    await delay(PACE_MS);
  }
  stopped.abort();
  await dying;
  for (const [number, planId] of planIds.entries()) {
    const view = await createClient(system.url).ended(planId);
    expect(view).toMatchObject({ status: "succeeded", answer: { text: `${number} note.txt` } });
    const outcomes: string[] = [];
    const seqs: number[] = [];
    for await (const { seq, event } of system.client.stream(planId)) {
      seqs.push(seq);
      if (event.type === "step.succeeded") outcomes.push(event.data.stepId);
    }
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(outcomes.toSorted()).toEqual(["all", "file", "first", "left", "right", "slow"]);
  }
});

/**
 * In turn, each dies at another moment of some plan; the last two at the same time. Of the two planners one
 * dies in every other round, and both in the others.
 */
async function letDie(system: TestSystem, signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    for (const name of SERVICE_NAMES) {
      if (signal.aborted) return;
      await delay(100 + 37 * round);
      if (name === "planner" && round % 2 === 0) await killEldest(system, name);
      else await system.kill(name);
      if (name === "reflector") await restartNats(system);
      await system.start(name);
      if (name === "planner" && round % 2 === 1) await system.start(name);
    }
  }
}

/** The one of its kind that has lived longest. */
async function killEldest(system: TestSystem, name: ServiceName): Promise<void> {
  const [eldest] = system.processes(name).filter(({ process }) => process.signalCode === null);
  await eldest?.kill();
}

async function restartNats(system: TestSystem): Promise<void> {
  await system.nats.kill();
  await system.nats.restart();
}

/** As a careful client does it: the same key until there is an answer. */
async function submitUntilTaken(system: TestSystem, number: number): Promise<string> {
  const headers = { "idempotency-key": `chaos-${number}` };
  const body = JSON.stringify(planOf(number));
  for (;;) {
    const response = await system.client
      .fetch("/v1/plans", { method: "POST", headers, body })
      .catch(() => undefined);
    if (response?.status === 202) return z.object({ planId: z.string() }).parse(await response.json()).planId;
    if (response !== undefined && response.status !== 503)
      throw new Error(`plan ${number}: ${await response.text()}`);
    await delay(50);
  }
}
