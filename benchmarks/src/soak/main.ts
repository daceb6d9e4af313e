/**
 * `npm run soak -- --minutes 10`: plans of every kind while everything is killed at random.
 *
 * The seed is printed; `FAULT_SEED` repeats it. Exits with 1 when a plan was lost, stuck or out of order, when an effect
 * was applied twice, or when a service's memory grew.
 */
import { connectBus } from "@planwright/shared/bus";
import {
  createCarefulClient,
  createClient,
  createPlanFlow,
  faultsOf,
  SERVICE_NAMES,
  seededRandom,
  type ServiceName,
  type ServiceProcess,
  startEffectCounter,
  startFlakyServer,
  startFlowModel,
  startSystem,
} from "@planwright/testkit";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { UsageError } from "../command/parse-arguments.ts";
import { countByKind, isClean, type SoakResult, soakTable } from "./soak-result.ts";
import { watchMemory } from "./watch-memory.ts";
import { killAtRandom } from "./kill-at-random.ts";
import { SOAK_HELP, soakMinutes } from "./soak-arguments.ts";

const MINUTE_MS = 60_000;
const PLANS_AT_A_TIME = 12;
/** Plans that are unfinished at the end must end within this time. */
const REST_MS = 5 * MINUTE_MS;
/** Only a full-length soak is recorded with the other results; a shorter one is a trial. */
const WHOLE_MINUTES = 10;

try {
  const minutes = soakMinutes(process.argv.slice(2));
  if (minutes === "help") console.log(SOAK_HELP);
  else await soakFor(minutes);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function soakFor(minutes: number): Promise<void> {
  const result = await soak(minutes);
  const folder = minutes >= WHOLE_MINUTES ? "benchmarks/results" : ".planwright/benchmarks";
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "soak.json"), `${JSON.stringify(result, null, 2)}\n`);
  console.log(`${soakTable(result)}\n${folder}/soak.json`);
  process.exitCode = isClean(result) ? 0 : 1;
}

async function soak(duration: number): Promise<SoakResult> {
  const random = seededRandom("soak");
  const data = await mkdtemp(path.join(os.tmpdir(), "planwright-soak-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(data, { recursive: true, force: true }));
  const model = cleanup.use(await startFlowModel());
  const flaky = cleanup.use(await startFlakyServer());
  const effects = cleanup.use(await startEffectCounter());
  const env = { HTTP_FETCH_ALLOW: `${new URL(flaky.url).host},${effects.host}` };
  const system = cleanup.use(await startSystem({ modelUrl: model.url, env }));
  const steady = SERVICE_NAMES.flatMap((name) => system.processes(name)).map(({ name, process: own }) => ({
    name,
    pid: own.pid ?? 0,
  }));

  // The second gateway has its own list of plans, and keeps its port.
  let mortalPort = "0";
  const startMortal = async (name: ServiceName): Promise<ServiceProcess> => {
    const own = name === "gateway" ? { PORT: mortalPort, PLANWRIGHT_DATA: data } : {};
    const started = await system.start(name, own);
    if (started.url !== undefined) mortalPort = new URL(started.url).port;
    return started;
  };
  const mortal = new Map(
    await Promise.all(SERVICE_NAMES.map(async (name) => [name, await startMortal(name)] as const)),
  );
  const clients = [mortal.get("gateway")?.url ?? system.url, system.url].map(createClient);

  const bus = cleanup.use(await connectBus({ url: system.nats.url, name: "soak" }));
  const client = createCarefulClient(clients, AbortSignal.timeout(duration * MINUTE_MS + REST_MS));
  const flow = createPlanFlow({
    client,
    bus,
    flakyUrl: flaky.url,
    effects,
    name: "soak",
    inFlight: PLANS_AT_A_TIME,
  });
  const stopping = new AbortController();
  const memory = watchMemory(steady);
  const killing = killAtRandom({ system, mortal, startMortal, random }, stopping.signal);
  const flowing = flow.run(stopping.signal);
  await Promise.race([delay(duration * MINUTE_MS), flowing, killing]);
  stopping.abort();
  const kills = await killing;
  const plans = await flowing;
  const trends = memory.stop();
  const broken = await faultsOf(bus, plans);
  return {
    minutes: duration,
    seed: random.seed,
    plans: countByKind(plans),
    kills,
    broken,
    doubled: effects.doubled(),
    memory: trends,
  };
}
