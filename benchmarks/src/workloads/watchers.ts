/** The cost of a thousand watchers for the plan that they watch. */
import { once } from "node:events";
import { Planwright } from "@planwright/client";
import { WebSocket } from "ws";
import { median } from "../measure/statistics.ts";
import { startBenchSystem } from "../system/start-bench-system.ts";
import type { RunReading, Workload } from "./workload.ts";

const WATCHERS = 1_000;
/** Maximum number that connect at a time. */
const CONNECTING = 50;
/** Time until all of them are watching. */
const HEAD_START_MS = 6_000;
const WAVES = 10;
const WIDTH = 10;
const WAIT_MS = 100;
/** Number of plans of each kind in a run. */
const PLANS = 3;
const WARM_UP_PLANS = 3;

const BODY = { goal: "watched by many", plan: { steps: [...waves()], answerFrom: "last" } };

/** A head start, then waves of waits, each of which depends on the whole previous wave. */
function* waves() {
  let before = ["start"];
  yield wait("start", HEAD_START_MS, []);
  for (let wave = 1; wave <= WAVES; wave += 1) {
    const ids = Array.from({ length: WIDTH }, (_, index) => `w${wave}-${index + 1}`);
    for (const id of ids) yield wait(id, WAIT_MS, before);
    before = ids;
  }
  yield wait("last", 1, before);
}

function wait(id: string, ms: number, dependsOn: readonly string[]) {
  return { id, tool: "flow.wait", args: { ms }, dependsOn: [...dependsOn] };
}

export function watchers(): Workload {
  return {
    name: "watchers",
    title: `${WAVES} waves of ${WIDTH} waits of ${WAIT_MS} ms in one plan, watched by ${WATCHERS.toLocaleString("en-US")} WebSockets of one client process, and by none: median of ${PLANS} plans of each`,
    warmUp: `${WARM_UP_PLANS} plans of each`,
    metrics: {
      slowdownPercent: { label: "what the watchers add", unit: "%", better: "lower", target: 10 },
      watchedMs: { label: "watched", unit: "ms", better: "lower" },
      aloneMs: { label: "alone", unit: "ms", better: "lower" },
    },
    async *measure({ runs, profileDir, say }) {
      await using system = await startBenchSystem({ profileDir });
      say("warming up");
      await measureRun(system.url, WARM_UP_PLANS);
      for (let run = 1; run <= runs; run += 1) {
        say(`run ${run} of ${runs}`);
        yield await measureRun(system.url, PLANS);
      }
    },
  };
}

async function measureRun(url: string, plans: number): Promise<RunReading> {
  const samples: Record<"alone" | "watched", number[]> = { alone: [], watched: [] };
  for (let plan = 0; plan < plans; plan += 1) {
    samples.alone.push(await makespan(url, 0));
    samples.watched.push(await makespan(url, WATCHERS));
  }
  const { alone, watched } = { alone: median(samples.alone), watched: median(samples.watched) };
  return {
    values: { slowdownPercent: (watched / alone - 1) * 100, watchedMs: watched, aloneMs: alone },
    samples,
  };
}

/**
 * Milliseconds from the end of the head start to the plan's end, by the times of its events.
 *
 * @throws When a watcher connected too late, or has not received each event exactly once.
 */
async function makespan(url: string, watching: number): Promise<number> {
  const { plans } = new Planwright({ baseUrl: url, maxRetries: 0 });
  const { planId } = await plans.submit(BODY);
  const watchers: Watcher[] = [];
  while (watchers.length < watching) {
    watchers.push(...(await Promise.all(Array.from({ length: CONNECTING }, () => watch(url, planId)))));
  }
  const watchedFrom = Date.now();
  await plans.wait(planId);
  const events = await Array.fromAsync(plans.events(planId));
  const times = events.flatMap(({ event: { type, at, data } }) =>
    type === "plan.ended" || (type === "step.succeeded" && data.stepId === "start") ? [Date.parse(at)] : [],
  );
  const [from = 0, to = 0] = times;
  for (const { ended, socket } of watchers) {
    const heard = await ended;
    socket.terminate();
    if (heard !== events.length) throw new Error(`a watcher received ${heard} of ${events.length} events`);
  }
  if (watchedFrom > from) throw new Error("the watchers took longer than the head start to connect");
  return to - from;
}

/** Resolves to the number of events received, once they include the last one. */
type Watcher = { readonly socket: WebSocket; readonly ended: Promise<number> };

async function watch(url: string, planId: string): Promise<Watcher> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/ws`);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let events = 0;
  socket.on("message", (data: Buffer) => {
    // Not parsed: the client shares the cores with the system.
    if (!data.includes('"event":')) return;
    events += 1;
    if (data.includes('"type":"plan.ended"')) resolve(events);
  });
  socket.on("close", () => reject(new Error("a watcher was disconnected")));
  promise.catch(() => undefined);
  await once(socket, "open");
  socket.send(JSON.stringify({ id: "w", type: "watch", planId }));
  return { socket, ended: promise };
}
