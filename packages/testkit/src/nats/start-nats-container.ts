import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { renderNatsConfig } from "@planwright/launcher/nats";
import { authorizationOf } from "@planwright/shared/users";
import { runFolder } from "../run/test-run.ts";
import { createLock } from "./create-lock.ts";
import { limitOfFiles } from "./limit-of-files.ts";
import type { TestNats, TestNatsOptions } from "./start-nats.ts";

const PORT = 4222;
const CONFIG_FILE = "/etc/nats/planwright.conf";
const STORE_DIR = "/tmp/planwright";
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 20;

/** The container counterpart of a nats-server process: the same configuration, behind a fixed host port. */
export async function startNatsContainer({
  image,
  ...options
}: TestNatsOptions & { image: string }): Promise<TestNats> {
  const { GenericContainer, getContainerRuntimeClient, RandomPortGenerator, Wait } = await import(
    "testcontainers"
  );
  // Fixed, because a restarted container would get another one.
  const port = await new RandomPortGenerator().generatePort();
  const usersDir = await mkdtemp(path.join(runFolder(), "users-"));
  const lock =
    options.locked === true
      ? createLock(usersDir, async (users, more) => {
          await started.copyContentToContainer([
            { content: render(authorizationOf(users, more)), target: CONFIG_FILE },
          ]);
          await container.kill({ signal: "SIGHUP" });
        })
      : undefined;
  const render = (settings: Readonly<Record<string, unknown>>): string =>
    renderNatsConfig({
      ...options,
      settings: { ...options.settings, ...settings },
      storeDir: STORE_DIR,
      host: "0.0.0.0",
      port: PORT,
    });
  const config = render((await lock?.settings()) ?? {});
  const started = await new GenericContainer(image)
    .withCopyContentToContainer([{ content: config, target: CONFIG_FILE }])
    .withCommand(commandFor(options.maxFileBytes))
    .withExposedPorts({ container: PORT, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const client = await getContainerRuntimeClient();
  const container = client.container.getById(started.getId());
  const url = `nats://${started.getHost()}:${port}`;
  const ownUrl = lock?.withPassword(url) ?? url;
  return {
    url: ownUrl,
    access: { url: ownUrl },
    settingsFor: async (service, pools) => lock?.settingsFor(url, service, pools) ?? { NATS_URL: url },
    async kill() {
      await container.kill();
    },
    async restart() {
      await container.restart();
      await greeting({ host: started.getHost(), port });
    },
    async [Symbol.asyncDispose]() {
      await started.stop();
      await rm(usersDir, { recursive: true, force: true });
    },
  };
}

/** A restarted container runs the same command: a file shows that it is not the first time. */
function commandFor(maxFileBytes: number | undefined): string[] {
  if (maxFileBytes === undefined) return ["-c", CONFIG_FILE];
  const limit = `[ -e /tmp/limited ] || { touch /tmp/limited; ${limitOfFiles(maxFileBytes)}; }`;
  return ["sh", "-c", `${limit}; exec nats-server -c ${CONFIG_FILE}`];
}

/** Waits until the server sends its greeting: the engine's own proxy accepts connections before the server does. */
async function greeting({ host, port }: { host: string; port: number }): Promise<void> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  for (;;) {
    const socket = connect({ host, port });
    try {
      const first = await Promise.race([once(socket, "data", { signal }), once(socket, "end", { signal })]);
      if (first.length > 0) return;
    } catch {
      signal.throwIfAborted();
    } finally {
      socket.destroy();
    }
    await delay(READY_POLL_MS, undefined, { signal });
  }
}
