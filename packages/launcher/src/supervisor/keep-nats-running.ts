import { setTimeout as delay } from "node:timers/promises";
import { findNatsServer } from "../nats/find-nats-server.ts";
import { type NatsServer, startNatsServer } from "../nats/start-nats-server.ts";
import { untilWritesNeedRestart } from "../nats/watch-writes.ts";
import type { Output } from "./console-output.ts";
import { isPortFree } from "./ports.ts";
import { restartPolicy } from "./restart-policy.ts";

/** The default port of NATS clients, so that tools and additional executors find this server. */
const PORT_PREFERRED = 4222;

/** The shortest time between two restarts of a server that cannot write. */
const RESTART_EVERY_MS = 30_000;

export type KeptNats = AsyncDisposable & {
  readonly url: string;
  /** Rejects when the server crashed and cannot be restarted; never resolves. */
  readonly failed: Promise<never>;
  kill(): void;
};

/**
 * Runs the system's own nats-server: finds or downloads it, starts it on the default port if that is free, and restarts
 * it on the same port and store when it crashes.
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
  say(
    `nats-server ${version} (${source}) on ${server.url}${syncAlways ? ", syncing every message to disk" : ""}`,
  );

  const stopping = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // Not awaiting it must not count as an unhandled rejection.
  const nextDelayMs = restartPolicy(() => performance.now());
  const restarts = (async () => {
    for (let isStopped = false; ; ) {
      // A disk that soon fills up again must not cause endless restarts.
      const watching = { storeDir, notBeforeMs: isStopped ? RESTART_EVERY_MS : 0 };
      isStopped = await untilOver(server, { ...watching, output, signal: stopping.signal });
      if (stopping.signal.aborted) return;
      if (!isStopped) {
        const delayMs = nextDelayMs();
        if (delayMs === undefined)
          throw new Error("nats-server keeps crashing: see nats-server.log in its store");
        output.say(`nats-server crashed: restarting it in ${delayMs} ms`, { severity: "warn" });
        await delay(delayMs, undefined, { signal: stopping.signal });
      }
      server = await start(server.port);
    }
  })().catch(failed.reject);
  // The server ends with this process, unless this process is killed.
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
 * Resolves when the server has ended. Stops a server that still cannot write although its disk has space again.
 *
 * @returns Whether it was stopped for that reason.
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
  output.say("nats-server could not write and its disk has room again: restarting it", { severity: "warn" });
  await server.stop();
  return true;
}

async function startOnGoodPort(start: (port?: number) => Promise<NatsServer>): Promise<NatsServer> {
  if (!(await isPortFree({ host: "127.0.0.1", port: PORT_PREFERRED }))) return start();
  // Another program may have taken the port in the meantime; any other port works too.
  return start(PORT_PREFERRED).catch(() => start());
}
