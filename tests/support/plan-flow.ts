/**
 * Plans that never stop coming, of every kind that a service has something to do with: drafted and judged by a
 * model, submitted, with effects, with a retry, cancelled in the middle, and now and then work that is poison.
 */
import { setTimeout as delay } from "node:timers/promises";
import http from "node:http";
import { once } from "node:events";
import type { PlanId } from "@planwright/plan";
import { type Bus, createPublish, readPlanEvents } from "@planwright/shared/bus";
import {
  brokenPromises,
  type CarefulClient,
  judgementText,
  planPieces,
  type ScriptedModel,
  type SeenEvent,
  startScriptedModel,
} from "@planwright/testkit";

export type FlowedPlan = {
  readonly planId: PlanId;
  readonly kind: keyof typeof KINDS;
  readonly seen: readonly SeenEvent[];
};

export type PlanFlow = {
  /** Submits plans until the signal aborts, then waits for the end of all of them. */
  run(signal: AbortSignal): Promise<FlowedPlan[]>;
};

export type FlowDeps = {
  readonly client: CarefulClient;
  readonly bus: Bus;
  readonly flakyUrl: string;
  /** Different for each flow of one system. */
  readonly name: string;
};

/** At a time; another one is submitted when one has ended. */
const IN_FLIGHT = 4;

const echo = (id: string, value: unknown, dependsOn: string[] = []) => ({
  id,
  tool: "flow.echo",
  args: { value },
  dependsOn,
});
const wait = (id: string, ms: number, dependsOn: string[] = []) => ({
  id,
  tool: "flow.wait",
  args: { ms, value: id },
  dependsOn,
});
const note = (id: string, content: string) => ({
  id,
  tool: "files.write",
  args: { path: `${id}.txt`, content },
});

/** What the model drafts for every goal. */
const drafted = [echo("first", "A"), wait("second", 30, ["first"]), echo("third", { $ref: "second.output" })];

const KINDS = {
  drafted: () => ({ goal: "think of something" }),
  effects: (number: number) => ({
    goal: `file ${number}`,
    plan: {
      steps: [
        echo("value", number),
        note("left", "{{value.output}}"),
        note("right", "{{left.output.path}}"),
        echo("all", "{{right.output.path}}"),
      ],
      answerFrom: "all",
    },
  }),
  retry: (number: number, flakyUrl: string) => ({
    goal: `retry ${number}`,
    plan: {
      steps: [
        { id: "fetch", tool: "http.fetch", args: { url: `${flakyUrl}/${number}` } },
        echo("all", "{{fetch.output.status}}"),
      ],
      answerFrom: "all",
    },
  }),
  cancelled: (number: number) => ({
    goal: `cancel ${number}`,
    plan: { steps: [wait("long", 3_000), { ...note("never", "x"), dependsOn: ["long"] }] },
  }),
} as const;

const ANSWERS: Readonly<Record<keyof typeof KINDS, string | undefined>> = {
  drafted: "judged",
  effects: "right.txt",
  retry: "200",
  // The cancellation may come too late.
  cancelled: undefined,
};

export function createPlanFlow({ client, bus, flakyUrl, name }: FlowDeps): PlanFlow {
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const publish = createPublish(bus);
  let number = 0;
  const one = async (): Promise<FlowedPlan> => {
    const own = number++;
    const kind = kinds[own % kinds.length] ?? "effects";
    const planId = await client.submit(KINDS[kind](own, `${flakyUrl}/${name}`), `${name}-${own}`);
    if (kind === "cancelled") {
      const poison = `work.step.default.poison-${name}-${own}`;
      await publish(poison, Buffer.from("{"), { id: poison });
      await client.cancel(planId);
    }
    return { planId, kind, seen: await client.follow(planId) };
  };
  const lane = async (signal: AbortSignal): Promise<FlowedPlan[]> => {
    const done: FlowedPlan[] = [];
    while (!signal.aborted) {
      done.push(await one());
      await delay(10);
    }
    return done;
  };
  return {
    run: async (signal) => (await Promise.all(Array.from({ length: IN_FLIGHT }, () => lane(signal)))).flat(),
  };
}

/** What went wrong with the plans of a flow: promises that were broken, and answers that are not theirs. */
export async function faultsOf(bus: Bus, plans: readonly FlowedPlan[]): Promise<string[]> {
  const found: string[] = [];
  for (const { planId, kind, seen } of plans) {
    const stored = await Array.fromAsync(readPlanEvents(bus, planId));
    found.push(...brokenPromises({ planId, stored, seen }));
    const answer = stored.find(({ event }) => event.type === "answer.given")?.event;
    const text = answer?.type === "answer.given" ? answer.data.answer.text : "";
    if (text !== (ANSWERS[kind] ?? text)) found.push(`${kind} ${planId}: answered ${JSON.stringify(text)}`);
  }
  return found;
}

/** The model of the flow's drafted plans. */
export function startFlowModel(): Promise<ScriptedModel> {
  return startScriptedModel({
    plan: () => planPieces({ steps: drafted }, () => delay(5)),
    judgement: judgementText({ text: "judged", sources: ["third"] }),
  });
}

export type FlakyServer = AsyncDisposable & { readonly url: string };

/** Answers the first request of each path with 500, and the others with 200. */
export async function startFlakyServer(): Promise<FlakyServer> {
  const asked = new Set<string>();
  const server = http.createServer(({ url = "" }, response) => {
    response.statusCode = asked.has(url) ? 200 : 500;
    asked.add(url);
    response.setHeader("content-type", "text/plain").end("fine");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("wanted a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
