import { setTimeout as delay } from "node:timers/promises";
import { findNatsServer } from "../nats/find-nats-server.ts";
import { type NatsServer, startNatsServer } from "../nats/start-nats-server.ts";
import { untilWritesNeedRestart } from "../nats/watch-writes.ts";
import type { Output } from "./console-output.ts";
import { isPortFree } from "./ports.ts";
import { restartPolicy } from "./restart-policy.ts";

/** Where clients look for NATS by default, so that tools and further executors find this one. */
const PORT_PREFERRED = 4222;

/** Between two restarts of a server that cannot write. */
const RESTART_EVERY_MS = 30_000;

export type KeptNats = AsyncDisposable & {
  readonly url: string;
  /** Rejects when it died and cannot be started again; never resolves. */
  readonly failed: Promise<never>;
  kill(): void;
};

/**
 * The system's own nats-server: found or fetched, started on the default port where that is free, and
 * started again on the same port and store when it dies.
 */
export async function keepNatsRunning({
  env,
  storeDir,
  syncAlways,
  settings,
  output,
  signal,
}: {
  env: NodeJS.ProcessEnv;
  storeDir: string;
  syncAlways: boolean;
  /** Read before each start. */
  settings: () => Promise<Readonly<Record<string, unknown>>>;
  output: Output;
  signal: AbortSignal;
}): Promise<KeptNats> {
  const say = (text: string) => output.say(text, { source: "nats" });
  const { bin, version, source } = await findNatsServer({ env, log: say, signal });
  const start = async (port?: number) =>
    startNatsServer({ bin, storeDir, port, syncAlways, settings: await settings(), log: say, signal });
  let server: NatsServer = await startOnGoodPort(start);
  say(`nats-server ${version} (${source}) on ${server.url}${syncAlways ? ", every message synced" : ""}`);

  const stopping = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // Whoever waits for it hears of it; nobody has to wait.
  const nextDelayMs = restartPolicy(() => performance.now());
  const restarts = (async () => {
    for (let isStopped = false; ; ) {
      // A disk that fails again soon is no reason to restart without end.
      const watching = { storeDir, notBeforeMs: isStopped ? RESTART_EVERY_MS : 0 };
      isStopped = await untilOver(server, { ...watching, output, signal: stopping.signal });
      if (stopping.signal.aborted) return;
      if (!isStopped) {
        const delayMs = nextDelayMs();
        if (delayMs === undefined) throw new Error("nats-server keeps dying");
        output.say(`nats-server died: starting it again in ${delayMs} ms`, { severity: "warn" });
        await delay(delayMs, undefined, { signal: stopping.signal });
      }
      server = await start(server.port);
    }
  })().catch(failed.reject);
  // However this process ends, short of being killed, its server ends too.
  const onExit = () => void server.stop();
  process.once("exit", onExit);
  return {
    url: server.url,
    failed: failed.promise,
    kill: () => void server.kill(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server.stop();
      await restarts;
      process.off("exit", onExit);
    },
  };
}

/**
 * Resolves when the server has ended; one that does not write any more, although its disk takes files again, is stopped.
 *
 * @returns Whether it was stopped so.
 */
async function untilOver(
  server: NatsServer,
  {
    storeDir,
    notBeforeMs,
    output,
    signal,
  }: { storeDir: string; notBeforeMs: number; output: Output; signal: AbortSignal },
): Promise<boolean> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const watching = untilWritesNeedRestart(storeDir, { notBeforeMs, signal: either }).then(
    () => true,
    () => server.exited.then(() => false),
  );
  const needsRestart = await Promise.race([watching, server.exited.then(() => false)]);
  over.abort();
  if (!needsRestart) return false;
  output.say("nats-server could not write, and its disk has room again: restarting it", { severity: "warn" });
  await server.stop();
  return true;
}

async function startOnGoodPort(start: (port?: number) => Promise<NatsServer>): Promise<NatsServer> {
  if (!(await isPortFree({ host: "127.0.0.1", port: PORT_PREFERRED }))) return start();
  // Another program may take the port in this very moment; any other port is as good.
  return start(PORT_PREFERRED).catch(() => start());
}
